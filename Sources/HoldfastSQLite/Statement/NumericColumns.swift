import CSQLite
@_spi(Driver) import Holdfast

/// The columns that a change writes and in which SQLite makes a number of a text that looks like one: those of the
/// affinities INTEGER, REAL and NUMERIC.
///
/// Other programs declare them, `DECIMAL(10,2)` or `NUMERIC`, also for what a model has as a `Decimal` or a `String`.
/// SQLite would keep the first fifteen digits of a decimal, and 7 of a text "007". Such values are refused. See
/// "Determination Of Column Affinity" in SQLite's *Datatypes In SQLite*.
struct NumericColumns {
    private struct Column {
        /// Its parameter, counted from 0.
        var position: Int
        var name: String
        /// Whether integers become floating-point numbers as well.
        var isReal: Bool
    }

    private let table: TableName
    private let columns: [Column]

    /// - Returns: Nil if there are none, or if what is written is not known.
    init?(_ change: Statement.RowChange?, in database: DatabaseHandle) {
        guard let change else { return nil }
        let table = change.table
        let positions: [Int?]? = if case .set(_, _, let parameters) = change { parameters } else { nil }
        columns = change.columns.enumerated().compactMap { index, name in
            guard let position = positions.map({ $0[index] }) ?? index else { return nil }
            let type = database.declaredType(of: name, in: table).uppercased()
            // Of STRICT tables, it converts nothing.
            if type == "ANY", database.isStrict(table) { return nil }
            guard let isReal = Self.isReal(type) else { return nil }
            return Column(position: position, name: name, isReal: isReal)
        }
        if columns.isEmpty { return nil }
        self.table = table
    }

    /// Whether a numeric column makes all its numbers floating-point; nil if it is not numeric.
    private static func isReal(_ type: String) -> Bool? {
        if type.contains("INT") { return false }
        if ["CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) || type.isEmpty { return nil }
        if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return true }
        return false
    }

    /// Whether values of a row may be converted, by their kinds.
    func concern(_ cells: Slice<UnsafeBufferPointer<Cell>>) -> Bool {
        columns.contains { column in
            switch cells[cells.startIndex + column.position].kind {
            case .text, .decimal, .json, .null: true
            case .integer, .boolean, .timestamp: column.isReal
            case .real, .blob, .uuid, .list: false
            }
        }
    }

    /// The error of a value that would become another one, if there is one.
    func failure(_ cells: Slice<UnsafeBufferPointer<Cell>>, _ bytes: UnsafeRawBufferPointer) -> DatabaseError? {
        for column in columns {
            let cell = cells[cells.startIndex + column.position]
            let what: String
            switch cell.kind {
            case .text, .json:
                if !Self.isNumber(text(of: cell, bytes)) { continue }
                what = "A text that is a number"
            case .decimal:
                if Self.isExact(decimal: text(of: cell, bytes), asReal: column.isReal) { continue }
                what = "A decimal of more than 15 digits"
            case .integer, .boolean, .timestamp:
                if !column.isReal { continue }
                what = "An integer"
            case .null, .real, .blob, .uuid, .list: continue
            }
            var error = DatabaseError(
                .invalidValue,
                "\(what) would become another value in \"\(column.name)\", which is a numeric column of \"\(table)\". "
                    + "Give the column the type of the property. Nothing was stored.")
            (error.table, error.properties) = (table.description, [column.name])
            return error
        }
        return nil
    }

    private func text(of cell: Cell, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = Int(truncatingIfNeeded: cell.payload)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(cell.count)])
    }

    /// Whether SQLite takes a text for a number: with blanks around it, a sign, a fraction and an exponent.
    static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text[...]
        let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        rest = rest.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(whole)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(fraction)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            guard let digit = rest.first, isDigit(digit) else { return false }
            rest = rest.drop(while: isDigit)
        }
        return rest.isEmpty
    }

    /// Whether a decimal in plain digits is the same number when it was read back.
    static func isExact(decimal text: UnsafeRawBufferPointer, asReal isReal: Bool) -> Bool {
        var digits = text.filter { (48...57).contains($0) }
        let isWhole = text.split(separator: UInt8(ascii: ".")).dropFirst().allSatisfy { $0.allSatisfy { $0 == 48 } }
        if isWhole, !isReal, let point = text.firstIndex(of: UInt8(ascii: ".")) ?? Optional(text.count),
            Int64(String(decoding: text.prefix(point), as: UTF8.self)) != nil
        {
            return true
        }
        digits = Array(digits.drop { $0 == 48 })
        while digits.last == 48 { digits.removeLast() }
        return digits.count <= 15
    }
}
