internal import CPostgres
import Holdfast

/// What the runs of a statement have returned so far.
struct GatheredResults {
    private(set) var results: [ServerResult] = []
    private(set) var affectedRows = 0
    /// Whether the server answered ROLLBACK.
    private(set) var wasRolledBack = false
    /// Whether the session forgot what it had prepared.
    private(set) var droppedPreparedStatements = false

    mutating func take(_ result: ServerResult) {
        if result.columnCount > 0 { results.append(result) }
        guard let tag = PQcmdStatus(result.raw) else { return }
        switch UInt8(bitPattern: tag.pointee) {
        case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "M"): affectedRows += result.affectedRows
        case UInt8(ascii: "D"):
            affectedRows += result.affectedRows
            let tag = result.commandTag
            if tag.hasPrefix("DISCARD") || tag.hasPrefix("DEALLOCATE") { droppedPreparedStatements = true }
        case UInt8(ascii: "R"): wasRolledBack = result.commandTag == "ROLLBACK"
        default: break
        }
    }

    /// The types of columns with values that `catalog` doesn't know yet.
    func unknownTypes(_ catalog: TypeCatalog) -> [UInt32] {
        guard let result = results.first(where: { $0.rowCount > 0 }) else { return [] }
        return (0..<result.columnCount).map { PQftype(result.raw, $0) }.filter { catalog.format($0) == nil }
    }
}
