public import Foundation

/// A type of a primary key, or of a part of one.
///
/// Conforming types are the fixed-width integers, String, UUID and Date. A type that wraps one of them only declares
/// the conformance:
///
/// ```swift
/// struct AccountNumber: RawRepresentable, KeyValue { var rawValue: String }
/// ```
///
/// A date that is a key is the instant that its column holds, to the microsecond, or to the unit of
/// ``ValueStorage/milliseconds`` and ``ValueStorage/seconds``. The other storages are refused for it, since they have
/// several forms of one instant, or numbers that are not exact.
public protocol KeyValue: Storable, KeyConvertible {}

extension Int: KeyValue {}
extension Int8: KeyValue {}
extension Int16: KeyValue {}
extension Int32: KeyValue {}
extension Int64: KeyValue {}
extension UInt8: KeyValue {}
extension UInt16: KeyValue {}
extension UInt32: KeyValue {}
extension UInt64: KeyValue {}
extension UInt: KeyValue {}
extension String: KeyValue {}
extension UUID: KeyValue {}
extension Date: KeyValue {}

extension Date: TimestampValue {}
extension Optional: TimestampValue where Wrapped: TimestampValue {}

extension KeyValue {
    public var _key: Key { Key(self) }
}

extension Key {
    /// Creates a key from its parts.
    public init<each Part: KeyValue>(_ part: repeat each Part) {
        var encoder = CellEncoder(width: 0)
        do {
            for value in repeat each part { try value._encode(into: &encoder, .native) }
            self.init(cells: encoder.buffer.cells, bytes: encoder.buffer.bytes)
        } catch {
            self.init(storage: .invalid((error as? CellMismatch) ?? .invalid("a value that a key can have")))
        }
    }
}
