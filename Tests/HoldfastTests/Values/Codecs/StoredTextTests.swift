import Foundation
import Testing

@testable import Holdfast

/// Texts in which other programs store values.
@Suite struct StoredTextTests {
    @Test(arguments: [
        ("2026-11-21", 0), ("2026-11-21 09:30", 34_200), ("2026-11-21 09:30:00", 34_200),
        ("2026-11-21T09:30:00Z", 34_200), ("2026-11-21T09:30:00.5z", 34_200.5), ("2026-11-21 09:30:00 +01:00", 30_600),
        ("2026-11-21 09:30:00-0130", 39_600), ("2026-11-21 09:30+02", 27_000),
        ("2026-11-21 00:00:00.000001", 0.000_001),
    ])
    func `a date is read in the forms that programs write`(text: String, seconds: Double) {
        let day: Int64 = 1_795_219_200_000_000
        #expect(DateText.microseconds(of: text) == day + Int64((seconds * 1_000_000).rounded()))
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-31", "2026-13-01", "21.11.2026", "2026-11-21T", "2026-11-21 9:30",
        "2026-11-21 25:00",
        "2026-11-21 09:30:00.", "2026-11-21 09:30:00 CET", "2026-11-21 09:30:00+1", "2026-11-21Z",
        "2026-11-21 09:30:00Zx",
        "now", "infinity", "12026-11-21", "2026-11-21 09:30:00 ", "２026-11-21",
    ])
    func `what is no date is none`(text: String) { #expect(DateText.microseconds(of: text) == nil) }

    @Test func `a date is written in the shortest of three forms`() {
        #expect(DateText.text(ofMicroseconds: 0) == "1970-01-01 00:00:00")
        #expect(DateText.text(ofMicroseconds: -500_000) == "1969-12-31 23:59:59.500")
        #expect(DateText.text(ofMicroseconds: 1) == "1970-01-01 00:00:00.000001")
        #expect(DateText.text(ofMicroseconds: -62_135_596_800_000_000) == "0001-01-01 00:00:00")
        #expect(DateText.text(ofMicroseconds: -62_135_596_800_000_001) == nil)
        #expect(DateText.text(ofMicroseconds: 253_402_300_800_000_000) == nil)
    }

    @Test func `words are numbered, and equal ones are one storage`() {
        let storage = ValueStorage.words(true: "Y", false: "N")
        #expect(storage == .words(true: "Y", false: "N"))
        #expect(storage != .words(true: "N", false: "Y"))
        #expect(storage.recorded == ValueStorage.words(true: "N", false: "Y").recorded)
        #expect(Bool._columnType(storage) == .text)
        #expect(Bool._columnType(.words(true: "Y", false: "Y")) == nil)
        #expect(Bool._columnType(.words(true: "Y\0", false: "N")) == nil)
        #expect(storage.scale == nil)
    }

    @Test func `a Julian day is the number that SQLite computes`() throws {
        var encoder = CellEncoder(width: 1)
        try Date(timeIntervalSince1970: 0)._encode(into: &encoder, .julianDay)
        #expect(encoder.buffer.cells[0].real == 2_440_587.5)
        var cell = Cell.real(2_460_371.020_834_375)  // of julianday('2024-03-01 12:30:00.09')
        cell.storage = .julianDay
        #expect(try Date._decode(cell).roundedToMicroseconds() == 1_709_296_200_090_000)
    }

    @Test func `an array is JSON and back`() throws {
        let texts = ["", "a\"\\/", "\u{1}\n\t", "é😀"]
        var encoder = CellEncoder(width: 1)
        try String._writeColumnArray(texts, &encoder)
        try encoder.buffer.withRow(0) { cells in
            #expect(try String._readColumnArray(cells[0], of: String.self) == texts)
            let decoded = try JSONDecoder().decode([String].self, from: Data(cells[0].bytes))
            #expect(decoded == texts)
        }
    }

    @Test(arguments: [
        ("[]", 0), (" [ 1 , 2.5e3 ,null,true, false, \"a\\u0041\\ud83d\\ude00\\n\" ] ", 6),
        ("[-9223372036854775808]", 1),
    ])
    func `JSON of others is read`(json: String, count: Int) {
        var json = json
        let cells = json.withUTF8 { ArrayText.cells(of: UnsafeRawBufferPointer($0), as: nil)?.cells }
        #expect(cells?.count == count)
    }

    @Test(arguments: [
        "", "[", "[1", "[1,]", "[,1]", "{}", "[[1]]", "[{}]", "[1]]", "[nul]", "[\"a]", "[\"\\x\"]", "[\"\\ud83d\"]",
        "[1e999]", "[--1]", "[\"\\u12\"]", "1",
    ])
    func `JSON that is no array of values is none`(json: String) {
        var json = json
        #expect(json.withUTF8 { ArrayText.cells(of: UnsafeRawBufferPointer($0), as: nil) } == nil)
    }

    @Test func `elements are told by their type where JSON does not tell`() {
        func kinds(_ json: String, _ type: ColumnType) -> [Cell.Kind]? {
            var json = json
            return json.withUTF8 { ArrayText.cells(of: UnsafeRawBufferPointer($0), as: type)?.cells.map(\.kind) }
        }
        #expect(kinds("[1,0.10,\"2.5\",1e3,null]", .decimal) == [.decimal, .decimal, .decimal, .real, .null])
        #expect(kinds("[\"2026-11-21T09:30:00Z\",0]", .timestamp) == [.timestamp, .integer])
        #expect(kinds("[\"5A0F3C8E-0000-4000-8000-0123456789AB\"]", .uuid) == [.uuid])
        #expect(kinds("[\"a\"]", .decimal) == nil)
        #expect(kinds("[\"yesterday\"]", .timestamp) == nil)
        #expect(kinds("[\"a\"]", .uuid) == nil)
    }
}
