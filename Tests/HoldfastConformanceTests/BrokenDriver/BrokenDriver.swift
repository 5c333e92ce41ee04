import Foundation
import Holdfast

/// A driver that does what another one does, but for one fault.
struct BrokenDriver: Driver {
    let base: any Driver
    let fault: Fault

    var dialect: any Dialect { base.dialect }
    var sharing: ConnectionSharing { base.sharing }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        let role = fault == .writesWhereItReads ? .write : role
        let connection = BrokenConnection(try await base.connect(role), fault: fault)
        if fault == .ignoresForeignKeys {
            try await connection.run(Statement("PRAGMA foreign_keys = OFF"), .none, timeout: nil) {
                while try $0.next() != nil {}
            }
        }
        return connection
    }

    func shutdown() async { await base.shutdown() }
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
}

/// A connection with the fault of its driver.
final class BrokenConnection: DriverConnection {
    private let base: any DriverConnection
    private let fault: Fault

    init(_ base: any DriverConnection, fault: Fault) {
        self.base = base
        self.fault = fault
    }

    var transactionStatus: TransactionStatus { base.transactionStatus }
    var isUsable: Bool { base.isUsable }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
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
        // What an INSERT returns is left alone: without it, nothing could be migrated.
        let rowFault = fault == .losesTheLastRow && !statement.sql.hasPrefix("SELECT") ? nil : fault
        do {
            return try await base.run(
                broken(statement),
                broken(parameters),
                timeout: fault == .ignoresTimeouts ? nil : timeout
            ) { rows in try consume(BrokenRows(rows, rowFault)) }
        } catch let error as DatabaseError {
            throw broken(error, parameters)
        }
    }

    func snapshot(of tables: [String]) async throws -> SchemaSnapshot { try await base.snapshot(of: tables) }

    func close() async { await base.close() }
}

// MARK: What it does wrong

extension BrokenConnection {
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
        default: return statement
        }
    }

    private func broken(_ parameters: ParameterBuffer) -> ParameterBuffer {
        guard fault == .roundsToMilliseconds || fault == .normalizesText else { return parameters }
        var result = ParameterBuffer(width: parameters.width)
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
