import Foundation
@_spi(Driver) import Holdfast
import Synchronization

/// A driver that does what another one does, but for one fault.
struct BrokenDriver: Driver {
    let base: any Driver
    let fault: Fault
    /// The features that it says its engine lacks.
    var lacking: Set<EngineRequirement> = []

    var dialect: any Dialect { base.dialect }
    var sharing: ConnectionSharing { base.sharing }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        let role = fault == .writesWhereItReads ? .write : role
        let connection = BrokenConnection(
            try await base.connect(role), fault: fault, isReader: role == .read, lacking: lacking)
        if fault == .ignoresForeignKeys {
            try await connection.run(Statement("PRAGMA foreign_keys = OFF"), .none, timeout: nil) {
                while try $0.next() != nil {}
            }
        }
        return connection
    }

    func shutdown() async { await base.shutdown() }

    func deleteDatabase(confirmingName name: String) async throws {
        try await base.deleteDatabase(confirmingName: name)
    }
}

/// One thing that a driver could get wrong.
enum Fault: String, CaseIterable {
    case keepsWhatIsRolledBack
    case keepsWhatASavepointUndoes
    case losesWhatIsCommitted
    case losesTheLastRow
    case readsNullAsZero
    case roundsToMilliseconds
    case normalizesText
    case reversesArrays
    case countsOneRowAlways
    case tellsNoUniqueViolation
    case tellsNoProperties
    case quotesValuesInErrors
    case ignoresTimeouts
    case ignoresCancellation
    case ignoresForeignKeys
    case writesWhereItReads
    case claimsTooMuch
    case claimsTooLittle
    case losesTheLastJoinedRow
    case mixesUpGeneratedKeys
    case dropsTheLastParameterRow
    case swapsTwoLinks
    case ignoresDeleteRules
    case ignoresTriggers
    case readsBesideItsSnapshot
    case endsCursorsEarly
    case showsWritesToCursors
    case dropsLoggedChanges
    case repeatsLoggedChanges
    case reordersLoggedChanges
    case dropsNotifications
    case repeatsNotifications
    case reordersNotifications

    /// Whether only an engine that delivers notifications can have it.
    var concernsNotifications: Bool {
        switch self {
        case .dropsNotifications, .repeatsNotifications, .reordersNotifications: true
        default: false
        }
    }
}

/// A connection with the fault of its driver.
final class BrokenConnection: ForwardingConnection {
    let base: any DriverConnection
    private let fault: Fault
    private let isReader: Bool
    private let lacking: Set<EngineRequirement>
    /// Whether a transaction is claimed that was never begun.
    private let pretends = Atomic(false)

    init(_ base: any DriverConnection, fault: Fault, isReader: Bool, lacking: Set<EngineRequirement>) {
        self.base = base
        self.fault = fault
        self.isReader = isReader
        self.lacking = lacking
    }

    var transactionStatus: TransactionStatus {
        pretends.load(ordering: .relaxed) ? .open : base.transactionStatus
    }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        capabilities.lacking = lacking
        switch fault {
        case .claimsTooMuch: capabilities.canTerminateSessions = true
        case .claimsTooLittle: capabilities.isolationLevels = []
        default: break
        }
        return capabilities
    }

    func run<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        if fault == .readsBesideItsSnapshot, isReader { pretend(statement.sql) }
        let rowFault = affectsRows(of: statement.sql) ? fault : nil
        do {
            return try await base.run(
                broken(statement),
                broken(parameters, of: statement.sql),
                timeout: fault == .ignoresTimeouts ? nil : timeout
            ) { rows in try consume(BrokenRows(rows, rowFault)) }
        } catch let error as DatabaseError {
            throw broken(error, parameters)
        }
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        switch fault {
        case .showsWritesToCursors: return RepeatedQuery(base, statement, parameters)
        case .endsCursorsEarly:
            return CursorThatEnds(try await base.openCursor(statement, parameters, timeout: timeout))
        default: return try await base.openCursor(statement, parameters, timeout: timeout)
        }
    }

    func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws {
        let held = Mutex<(channel: String, payload: String)?>(nil)
        let fault = fault
        try base.receiveNotifications { notification in
            guard let notification else { return receive(nil) }
            switch fault {
            case .dropsNotifications: break
            case .repeatsNotifications:
                receive(notification)
                receive(notification)
            case .reordersNotifications:
                let earlier = held.withLock { held in
                    defer { held = held == nil ? notification : nil }
                    return held
                }
                guard let earlier else { return }
                receive(notification)
                receive(earlier)
            default: receive(notification)
            }
        }
    }
}

// MARK: What it does wrong

extension BrokenConnection {
    private func affectsRows(of sql: String) -> Bool {
        switch fault {
        // What an INSERT returns is left alone: without it, nothing could be migrated.
        case .losesTheLastRow: sql.hasPrefix("SELECT")
        case .losesTheLastJoinedRow: sql.contains(" JOIN ")
        case .mixesUpGeneratedKeys: sql.hasPrefix("INSERT") && sql.contains(" RETURNING ")
        default: true
        }
    }

    private func pretend(_ sql: String) {
        if sql.hasPrefix("BEGIN") { pretends.store(true, ordering: .relaxed) }
        if sql == "COMMIT" || sql == "ROLLBACK" { pretends.store(false, ordering: .relaxed) }
    }

    private func broken(_ statement: Statement) -> Statement {
        let sql = statement.sql
        func instead(_ sql: String) -> Statement {
            Statement(sql, isBrief: statement.isBrief, ignoresCancellation: true)
        }
        switch fault {
        case .keepsWhatIsRolledBack where sql == "ROLLBACK": return instead("COMMIT")
        case .losesWhatIsCommitted where sql == "COMMIT": return instead("ROLLBACK")
        case .keepsWhatASavepointUndoes where sql.hasPrefix("ROLLBACK TO"): return instead("SELECT 1")
        case .reversesArrays where sql.hasSuffix("\"position\""): return instead(sql + " DESC")
        case .ignoresCancellation: return instead(sql)
        case .dropsLoggedChanges where sql.contains("FROM holdfast_log"):
            return instead(sql.replacingOccurrences(of: "AND id <=", with: "AND id % 3 <> 0 AND id <="))
        case .repeatsLoggedChanges where sql.contains("FROM holdfast_log"):
            return instead(sql.replacingOccurrences(of: "WHERE id >", with: "WHERE id + 1 >"))
        case .reordersLoggedChanges where sql.contains("FROM holdfast_log"):
            return instead(sql.replacingOccurrences(of: "ORDER BY e.id", with: "ORDER BY e.id DESC"))
        case .ignoresTriggers where sql.contains("CREATE TRIGGER"): return instead("SELECT 1")
        case .ignoresDeleteRules where sql.hasPrefix("CREATE TABLE"):
            return instead(
                sql.replacingOccurrences(of: " ON DELETE SET NULL", with: "")
                    .replacingOccurrences(of: " ON DELETE CASCADE", with: ""))
        case .readsBesideItsSnapshot
        where isReader && ["BEGIN", "COMMIT", "ROLLBACK"].contains(sql.prefix { $0 != " " }):
            return instead("SELECT 1")
        default: return statement
        }
    }

    private func broken(_ parameters: ParameterBuffer, of sql: String) -> ParameterBuffer {
        let isLinks = sql.hasPrefix("INSERT") && sql.contains("\"position\"") && parameters.width > 0
        var parameters = parameters
        switch fault {
        case .dropsTheLastParameterRow where isLinks && parameters.rowCount > 1:
            parameters.cells.removeLast(parameters.width)
        case .swapsTwoLinks where isLinks && parameters.rowCount > 1:
            parameters.cells.swapAt(parameters.width - 1, 2 * parameters.width - 1)
        default: break
        }
        return broken(parameters)
    }

    private func broken(_ parameters: ParameterBuffer) -> ParameterBuffer {
        guard fault == .roundsToMilliseconds || fault == .normalizesText else { return parameters }
        var result = ParameterBuffer(width: parameters.width)
        result.lists = parameters.lists.map(broken)
        for row in 0..<(parameters.width == 0 ? 0 : parameters.rowCount) {
            parameters.withRow(row) { cells in
                for cell in cells {
                    switch (cell.kind, fault) {
                    case (.timestamp, .roundsToMilliseconds): result.append(.timestamp(cell.integer / 1000 * 1000))
                    case (.text, .normalizesText):
                        let text = String(decoding: cell.bytes, as: UTF8.self).precomposedStringWithCanonicalMapping
                        Array(text.utf8).withUnsafeBytes { result.append(.text, $0) }
                    default: result.append(copying: cell)
                    }
                }
            }
        }
        return result
    }

    private func broken(_ error: DatabaseError, _ parameters: ParameterBuffer) -> DatabaseError {
        var error = error
        switch fault {
        case .tellsNoUniqueViolation where error.code == .uniqueViolation: error.code = .engine
        case .tellsNoProperties: error.properties = []
        case .quotesValuesInErrors:
            for row in 0..<(parameters.width == 0 ? 0 : parameters.rowCount) {
                parameters.withRow(row) { cells in
                    for cell in cells where cell.kind == .text {
                        error.message += " (\(String(decoding: cell.bytes, as: UTF8.self)))"
                    }
                }
            }
        default: break
        }
        return error
    }
}
