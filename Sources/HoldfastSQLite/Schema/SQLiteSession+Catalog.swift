@_spi(Driver) import Holdfast

// How the readers of schemas ask the engine.

extension SQLiteSession {
    /// Reads at one moment: in the transaction that is open, or else in one of its own.
    func atOneMoment<Result>(_ read: () throws -> Result) throws -> Result {
        let isAlone = !isInTransaction
        if isAlone { try control("BEGIN") }
        do {
            let result = try read()
            if isAlone { try control("COMMIT") }
            return result
        } catch {
            if isAlone, isInTransaction { try control("ROLLBACK") }
            throw error
        }
    }

    /// All rows of a query that takes `names` as its parameters.
    func catalogRows(_ sql: String, _ names: [String], width: Int) throws -> [[CatalogValue]] {
        var parameters = names.isEmpty ? ParameterBuffer.none : ParameterBuffer(width: names.count)
        for var name in names { name.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) } }
        let lock = LockWait.upTo(settings.lockTimeout)
        return try perform(Statement(sql, isCached: false), parameters, lock: lock) { source in
            var rows: [[CatalogValue]] = []
            while let cells = try source.next() { rows.append((0..<width).map { CatalogValue(cells[$0]) }) }
            return rows
        }
    }

    private func control(_ sql: String) throws {
        try perform(Statement(sql, isCached: false), .none, lock: .upTo(settings.lockTimeout)) { _ in }
    }
}

/// A value of a row that describes a schema.
struct CatalogValue: Sendable {
    var integer: Int64 = 0
    var text = ""
    let isNull: Bool

    init(_ cell: Cell) {
        isNull = cell.isNull
        if cell.hasBytes {
            text = String(decoding: cell.bytes, as: UTF8.self)
        } else if !cell.isNull {
            integer = cell.integer
        }
    }
}
