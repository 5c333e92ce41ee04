import Floor
import Foundation

/// The checksum of Floor.h, over values of Swift.
struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: Int) { value = floor_add_integer(value, Int64(number)) }
    mutating func add(_ number: Double) { value = floor_add_real(value, number) }
    mutating func add(_ date: Date) { value = floor_add_integer(value, date.microseconds) }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            value = floor_add_integer(value, Int64(bytes.count))
            value = floor_add_bytes(value, bytes.baseAddress, Int64(bytes.count))
        }
    }
}

extension String {
    init(_ text: FloorText) {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: Int(text.length))
        self = String(decoding: bytes, as: UTF8.self)
    }
}

extension Date {
    private static let reference: Int64 = 978_307_200

    /// A number of microseconds since 1970.
    init(microseconds: Int64) {
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - Date.reference) + Double(fraction) / 1_000_000)
    }

    /// The number of microseconds since 1970.
    var microseconds: Int64 {
        let seconds = timeIntervalSinceReferenceDate.rounded(.down)
        let fraction = ((timeIntervalSinceReferenceDate - seconds) * 1_000_000).rounded()
        return (Int64(seconds) + Date.reference) * 1_000_000 + Int64(fraction)
    }
}
