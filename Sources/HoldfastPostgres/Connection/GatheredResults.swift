internal import CPostgres
import Holdfast

/// The results that the runs of a statement have returned so far.
struct GatheredResults {
    /// The first result with columns.
    private(set) var shape: ServerResult?
    /// The rows of all runs, where there are several; those of a single run stay where libpq put them.
    let rows: PackedRows?
    /// How many columns at the end are not for whoever reads the rows.
    private let guardCount: Int32
    var affectedRows = 0
    /// Whether the server answered ROLLBACK.
    private(set) var wasRolledBack = false
    /// Whether the session forgot what it had prepared.
    private(set) var hasDroppedPreparedStatements = false
    /// Whether the schema may have changed by it.
    private(set) var mayHaveChangedSchema = false

    init(runCount: Int, guardCount: Int = 0) {
        self.guardCount = Int32(guardCount)
        rows = runCount > 1 ? PackedRows() : nil
    }

    /// How many columns the rows have.
    var columnCount: Int32 { shape.map { $0.columnCount - guardCount } ?? 0 }

    var rowCount: Int { rows?.rowCount ?? Int(shape?.rowCount ?? 0) }

    mutating func add(_ result: ServerResult) {
        if result.columnCount > guardCount {
            if shape == nil { shape = result }
            rows?.append(result, columnCount: result.columnCount - guardCount)
        }
        guard let tag = PQcmdStatus(result.raw) else { return }
        switch UInt8(bitPattern: tag.pointee) {
        case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "M"): affectedRows += result.affectedRows
        case UInt8(ascii: "D"):
            affectedRows += result.affectedRows
            let tag = result.commandTag
            if tag.hasPrefix("DISCARD") || tag.hasPrefix("DEALLOCATE") { hasDroppedPreparedStatements = true }
            if tag.hasPrefix("DROP") || tag == "DO" { mayHaveChangedSchema = true }
        // ALTER, CREATE, CALL: statements that were prepared before may not fit any more, and would end a transaction.
        case UInt8(ascii: "A"): mayHaveChangedSchema = true
        // Not COMMIT and COPY.
        case UInt8(ascii: "C"):
            mayHaveChangedSchema = [UInt8(ascii: "R"), UInt8(ascii: "A")].contains(UInt8(bitPattern: tag[1]))
        case UInt8(ascii: "R"): wasRolledBack = result.commandTag == "ROLLBACK"
        default: break
        }
    }

    /// The types of columns with values that `catalog` doesn't know yet.
    ///
    /// - Parameter evenOfNone: Whether the types matter although there are no rows.
    func unknownTypes(_ catalog: TypeCatalog, evenOfNone: Bool = false) -> [UInt32] {
        guard let shape, rowCount > 0 || evenOfNone else { return [] }
        guard (0..<columnCount).contains(where: { catalog.format(PQftype(shape.raw, $0)) == nil }) else {
            return []
        }
        return (0..<columnCount).map { PQftype(shape.raw, $0) }.filter { catalog.format($0) == nil }
    }
}
