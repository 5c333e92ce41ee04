import CSQLite
import Foundation

/// The values that a property of some type has in a column, whatever the column was declared as.
enum StoredKind: Int32 {
    case integer = 1
    /// An integer or a real number.
    case number
    /// A decimal: in a column of ours text, in others' also a number.
    case decimal
    case text
    case blob
}

/// Gives a value of a column whose table is not STRICT, or an error where it is not of the kind that is asked for: SQLite
/// would compare a number with a text by their storage classes, and sort every text after every number.
func giveStored(_ context: OpaquePointer, _ value: OpaquePointer, _ kind: StoredKind) {
    switch (kind, sqlite3_value_type(value)) {
    case (_, SQLITE_NULL), (.integer, SQLITE_INTEGER), (.number, SQLITE_INTEGER), (.number, SQLITE_FLOAT),
        (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB):
        sqlite3_result_value(context, value)
    case (.decimal, SQLITE_INTEGER), (.decimal, SQLITE_FLOAT), (.decimal, SQLITE_TEXT):
        guard let decimal = decimal(value) else { return refuse(context) }
        give(context, decimal)
    default: refuse(context)
    }
}

private func refuse(_ context: OpaquePointer) {
    sqlite3_result_error(context, "a stored value is not of its type", -1)
}
