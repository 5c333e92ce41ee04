import CSQLite
import Foundation
import Holdfast

/// The values that a property of some type has in a column, whatever the column was declared as.
enum StoredKind: Int32 {
    case integer = 1
    /// An integer or a real number.
    case number
    /// A decimal: in a column of ours text, in others' also a number.
    case decimal
    case text
    case blob
    /// A date as text.
    case date
    /// An instant, of a date as text of any form.
    case instant
    /// No value at all: what is there has none of the forms that were looked for.
    case none
}

/// Gives a value of a column whose table is not STRICT, or an error where it is not of the kind that is asked for:
/// SQLite would compare a number with a text by their storage classes, and sort every text after every number.
func giveStored(_ context: OpaquePointer, _ value: OpaquePointer, _ kind: StoredKind) {
    switch (kind, sqlite3_value_type(value)) {
    case (_, SQLITE_NULL), (.integer, SQLITE_INTEGER), (.number, SQLITE_INTEGER), (.number, SQLITE_FLOAT),
        (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB):
        sqlite3_result_value(context, value)
    case (.decimal, SQLITE_INTEGER), (.decimal, SQLITE_FLOAT), (.decimal, SQLITE_TEXT):
        guard let decimal = decimal(value) else { return refuse(context) }
        give(context, decimal)
    case (.date, SQLITE_TEXT): giveDate(context, value)
    case (.instant, SQLITE_TEXT): giveInstant(context, value)
    default: refuse(context)
    }
}

/// Gives a date in the one form in which texts compare as the dates do: others may have left out the fraction, or
/// written an offset.
private func giveDate(_ context: OpaquePointer, _ value: OpaquePointer) {
    guard let text = utf8(value), let microseconds = ISO8601.microseconds(of: text) else { return refuse(context) }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: ISO8601.longestText) { text in
        let count = ISO8601.write(microseconds, to: UnsafeMutableRawBufferPointer(text))
        holdfast_sqlite_result_text(context, text.baseAddress, Int32(truncatingIfNeeded: count))
    }
}

/// Gives the microseconds since 1970 of a date as other programs write it.
private func giveInstant(_ context: OpaquePointer, _ value: OpaquePointer) {
    guard let text = utf8(value), let microseconds = DateText.microseconds(of: text) else { return refuse(context) }
    sqlite3_result_int64(context, microseconds)
}

/// The bytes of a text, which are SQLite's.
private func utf8(_ value: OpaquePointer) -> UnsafeRawBufferPointer? {
    guard let bytes = sqlite3_value_text(value) else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
}

private func refuse(_ context: OpaquePointer) {
    sqlite3_result_error(context, "a stored value is not of its type", -1)
}
