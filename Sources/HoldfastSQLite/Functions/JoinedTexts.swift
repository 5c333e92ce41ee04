import CSQLite
import Foundation

/// The texts of a group so far, with what they are ordered by.
///
/// `holdfast_joined(text, separator, forms, key, …)`: three letters of `forms` tell how each key is compared.
final class JoinedTexts {
    private var rows: [(text: [UInt8], keys: [SortKey])] = []
    private var separator: [UInt8] = []
    private var forms: [SortKey.Form] = []
    private static let greatestSize = 1_000_000_000

    /// The texts that belong to a group: made at its first row, and freed by ``finish(_:)``.
    static func of(_ context: OpaquePointer?) -> JoinedTexts? { GroupState.of(context, JoinedTexts()) }

    func add(_ values: UnsafeBufferPointer<OpaquePointer?>, _ context: OpaquePointer) {
        guard values.count > 2 else { return sqlite3_result_error(context, "holdfast_joined lacks arguments", -1) }
        guard let text = utf8(values[0]) else { return }
        if rows.isEmpty {
            separator = utf8(values[1]) ?? []
            forms = SortKey.forms(utf8(values[2]) ?? [])
        }
        let keys = values.dropFirst(3)
        guard keys.count == forms.count else {
            return sqlite3_result_error(context, "holdfast_joined takes a form for each key", -1)
        }
        rows.append((text, zip(keys, forms).map { SortKey($0, $1) }))
    }

    /// Gives the texts in their order; NULL of none.
    static func finish(_ context: OpaquePointer?) {
        guard let context, let texts = GroupState<JoinedTexts>.end(context), !texts.rows.isEmpty else { return }
        let forms = texts.forms
        texts.rows.sort { SortKey.isBefore($0.keys, $1.keys, forms) }
        let size = texts.rows.reduce(texts.separator.count * (texts.rows.count - 1)) { $0 + $1.text.count }
        guard size <= greatestSize else { return sqlite3_result_error_toobig(context) }
        var joined: [UInt8] = []
        // At least one byte: a text without bytes still has a place, or it would be NULL.
        joined.reserveCapacity(max(size, 1))
        for (index, row) in texts.rows.enumerated() {
            if index > 0 { joined += texts.separator }
            joined += row.text
        }
        joined.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                holdfast_sqlite_result_text(context, text.baseAddress, Int32(truncatingIfNeeded: text.count))
            }
        }
    }
}

/// A value that rows are sorted by.
private enum SortKey {
    case null
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case bytes([UInt8])

    struct Form {
        var isDecimal: Bool
        var isDescending: Bool
        var nullsFirst: Bool
    }

    static func forms(_ text: [UInt8]) -> [Form] {
        stride(from: 0, to: text.count - text.count % 3, by: 3).map { start in
            Form(
                isDecimal: text[start] == UInt8(ascii: "n"), isDescending: text[start + 1] == UInt8(ascii: "d"),
                nullsFirst: text[start + 2] == UInt8(ascii: "f"))
        }
    }

    init(_ value: OpaquePointer?, _ form: Form) {
        switch value.map({ sqlite3_value_type($0) }) {
        case nil, SQLITE_NULL: self = .null
        case _ where form.isDecimal: self = HoldfastSQLite.decimal(value).map { .decimal($0) } ?? .null
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT: self = .bytes(utf8(value) ?? [])
        default:
            let count = Int(sqlite3_value_bytes(value))
            self = .bytes(Array(UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)))
        }
    }

    static func isBefore(_ left: [SortKey], _ right: [SortKey], _ forms: [Form]) -> Bool {
        for (index, form) in forms.enumerated() {
            let (left, right) = (left[index], right[index])
            switch (left.isNull, right.isNull) {
            case (true, true): continue
            case (true, false): return form.nullsFirst
            case (false, true): return !form.nullsFirst
            case (false, false):
                if left.isLess(than: right) { return !form.isDescending }
                if right.isLess(than: left) { return form.isDescending }
            }
        }
        return false
    }

    private var isNull: Bool { if case .null = self { true } else { false } }

    private func isLess(than other: SortKey) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.integer(let left), .real(let right)): Double(left) < right
        case (.real(let left), .integer(let right)): left < Double(right)
        case (.decimal(let left), .decimal(let right)): left < right
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        // As SQLite sorts values of different kinds, which only tables of others' have in one column.
        case (.integer, .bytes), (.real, .bytes): true
        default: false
        }
    }
}

/// The bytes of a text; nil for NULL.
private func utf8(_ value: OpaquePointer?) -> [UInt8]? {
    guard let value, let bytes = sqlite3_value_text(value) else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
}
