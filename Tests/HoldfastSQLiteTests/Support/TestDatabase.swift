import Foundation
@_spi(Driver) import Holdfast

@testable import HoldfastSQLite

/// A directory of a test's own, deleted with it.
final class TestDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of the database file.
    var path: String { url.appendingPathComponent("test.db").path }
}

/// A database file of a test's own, and a driver for it.
final class TestDatabase: Sendable {
    let directory: TestDirectory
    let driver: any Driver
    var path: String { directory.path }

    init(
        _ directory: TestDirectory? = nil,
        synchronous: SQLiteSynchronous = .normal,
        _ change: (inout DatabaseConfiguration) -> Void = { _ in }
    ) throws {
        let directory = try directory ?? TestDirectory()
        self.directory = directory
        let configuration = DatabaseConfiguration.sqlite(path: directory.path, synchronous: synchronous).with(change)
        driver = try configuration.makeDriver(configuration)
    }

    func writer() async throws -> any DriverConnection { try await driver.connect(.write) }
    func reader() async throws -> any DriverConnection { try await driver.connect(.read) }
}

/// Runs `body` with a connection for writing to a new database file.
func withWriter<Result: Sendable>(
    synchronous: SQLiteSynchronous = .normal,
    _ change: (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: (any DriverConnection) async throws -> Result
) async throws -> Result {
    let database = try TestDatabase(synchronous: synchronous, change)
    let connection = try await database.writer()
    do {
        let result = try await body(connection)
        await connection.close()
        await database.driver.shutdown()
        return result
    } catch {
        await connection.close()
        await database.driver.shutdown()
        throw error
    }
}

/// A value as a driver reads or binds it.
enum TestValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A kind that is only bound.
    case boolean(Bool), timestamp(Int64), decimal(String), uuid([UInt8]), json(String)

    init(_ cell: Cell) {
        self =
            switch cell.kind {
            case .null: .null
            case .integer: .integer(cell.integer)
            case .real: .real(cell.real)
            case .text: .text(String(decoding: cell.bytes, as: UTF8.self))
            case .blob: .blob(Array(cell.bytes))
            default: fatalError("SQLite reads no \(cell.kind)")
            }
    }

    func append(to buffer: inout ParameterBuffer) {
        func bytes(_ kind: Cell.Kind, _ bytes: [UInt8]) { bytes.withUnsafeBytes { buffer.append(kind, $0) } }
        switch self {
        case .null: buffer.append(.null)
        case .integer(let value): buffer.append(.integer(value))
        case .real(let value): buffer.append(.real(value))
        case .text(let value): bytes(.text, Array(value.utf8))
        case .blob(let value): bytes(.blob, value)
        case .boolean(let value): buffer.append(.boolean(value))
        case .timestamp(let value): buffer.append(.timestamp(value))
        case .decimal(let value): bytes(.decimal, Array(value.utf8))
        case .uuid(let value): bytes(.uuid, value)
        case .json(let value): bytes(.json, Array(value.utf8))
        }
    }
}

extension TestValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }
}

extension ParameterBuffer {
    init(_ rows: [TestValue]...) { self.init(rows: rows) }

    init(rows: [[TestValue]]) {
        self.init(width: rows.first?.count ?? 0)
        for value in rows.joined() { value.append(to: &self) }
    }
}

extension DriverConnection {
    /// Runs a statement and returns its rows.
    @discardableResult
    func rows(
        _ sql: String,
        _ values: TestValue...,
        isBrief: Bool = false,
        timeout: Duration? = nil
    ) async throws -> [[TestValue]] {
        try await rows(
            Statement(sql, isBrief: isBrief),
            values.isEmpty ? .none : ParameterBuffer(values),
            timeout: timeout
        )
    }

    /// Runs a statement for each row of parameters and returns its rows.
    @discardableResult
    func rows(
        _ statement: Statement,
        _ parameters: ParameterBuffer = .none,
        timeout: Duration? = nil
    ) async throws -> [[TestValue]] {
        try await run(statement, parameters, timeout: timeout) { source in
            var rows: [[TestValue]] = []
            while let cells = try source.next() {
                rows.append(source.columnNames.indices.map { TestValue(cells[$0]) })
            }
            return rows
        }
    }

    /// Runs a statement for each row of parameters and returns how many rows it changed.
    @discardableResult
    func execute(_ sql: String, _ parameters: ParameterBuffer = .none, isBrief: Bool = false) async throws -> Int {
        try await run(Statement(sql, isBrief: isBrief), parameters, timeout: nil) { source in
            while try source.next() != nil {}
            return source.affectedRows
        }
    }
}

/// The `DatabaseError` that `body` throws, if any.
func databaseError(_ body: () async throws -> Void) async -> DatabaseError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}
