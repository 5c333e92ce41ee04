import Testing

@testable import HoldfastPostgres

@Suite struct NumericCodecTests {
    private func encode(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        let target = UnsafeMutableRawBufferPointer.allocate(
            byteCount: NumericCodec.binaryCapacity(bytes.count), alignment: 8)
        defer { target.deallocate() }
        guard let start = target.baseAddress,
            let count = bytes.withUnsafeBytes({ NumericCodec.encode($0, to: start) })
        else { return nil }
        #expect(count <= target.count)
        return Array(target[..<count])
    }

    private func decode(_ binary: [UInt8]) -> String? {
        binary.withUnsafeBytes { source in
            let target = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(NumericCodec.textCapacity(source), 1), alignment: 8)
            defer { target.deallocate() }
            guard let start = target.baseAddress, let count = NumericCodec.write(source, to: start) else { return nil }
            #expect(count <= target.count)
            return String(decoding: target[..<count], as: UTF8.self)
        }
    }

    @Test(arguments: [
        "0", "1", "-1", "9999", "10000", "99999999", "100000000", "0.1", "-0.0001", "0.00001", "12.50", "0.00",
        "1.0000",
        "10000.0001", "123456789.987654321", "1000000000000000000000000000000",
        "99999999999999999999999999999999999999.99999999999999999999999999999999999999",
    ])
    func `a number comes back digit for digit`(text: String) throws {
        #expect(decode(try #require(encode(text))) == text)
    }

    @Test func `groups are those that the server makes`() {
        // SELECT encode(numeric_send(12.50), 'hex')
        #expect(encode("12.50") == [0, 2, 0, 0, 0, 0, 0, 2, 0, 12, 0x13, 0x88])
        #expect(encode("0") == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(encode("-0.0") == [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(encode("10000") == [0, 1, 0, 1, 0, 0, 0, 0, 0, 1])
        #expect(encode("-0.0001") == [0, 1, 0xff, 0xff, 0x40, 0, 0, 4, 0, 1])
        #expect(encode("007") == encode("7"))
        #expect(encode("+7") == encode("7"))
    }

    @Test(arguments: ["", "-", ".", "1e5", "NaN", " 1", "1,5", "1.2.3", "٣"])
    func `what is no plain number is refused`(text: String) {
        #expect(encode(text) == nil)
    }

    @Test(
        arguments: [
            [0xC0, 0], [0xD0, 0], [0xF0, 0],
        ] as [[UInt8]])
    func `what no property can hold is not read`(sign: [UInt8]) {
        #expect(decode([0, 0, 0, 0] + sign + [0, 0]) == nil)
        #expect(decode([0, 1, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(decode([]) == nil)
    }

    @Test(arguments: [
        (0.1, "0.1"), (1e30, "1000000000000000000000000000000"), (1.5e-7, "0.00000015"),
        (-1.25e16, "-12500000000000000"),
        (100, "100"), (-0.5, "-0.5"), (1e16, "10000000000000000"), (1.2345e20, "123450000000000000000"),
        (-2e-5, "-0.00002"),
    ])
    func `a double is written in plain digits`(value: Double, text: String) {
        #expect(NumericCodec.plainText(value) == text)
        #expect(Double(NumericCodec.plainText(value)) == value)
    }

    @Test func `random numbers come back`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            func digits(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &generator)).map { _ in "000123456789".randomElement()! }.map(
                    String.init
                )
                .joined()
            }
            let whole = digits(0...30).drop { $0 == "0" }
            let fraction = digits(0...30)
            let text = (whole.isEmpty ? "0" : String(whole)) + (fraction.isEmpty ? "" : "." + fraction)
            #expect(decode(try #require(encode(text))) == text)
        }
    }
}

@Suite struct CivilTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00.000000+00"), (-1, "1969-12-31 23:59:59.999999+00"),
            (951_782_400_000_000, "2000-02-29 00:00:00.000000+00"),
            (253_402_300_800_000_000, "10000-01-01 00:00:00.000000+00"),
            (-62_135_596_800_000_001, "0001-12-31 23:59:59.999999+00 BC"),
            (-210_866_803_200_000_000, "4714-11-24 00:00:00.000000+00 BC"),
        ] as [(Int64, String)])
    func `an instant is written in the Gregorian calendar`(microseconds: Int64, text: String) {
        #expect(CivilTime(unixMicroseconds: microseconds).description == text)
    }
}
