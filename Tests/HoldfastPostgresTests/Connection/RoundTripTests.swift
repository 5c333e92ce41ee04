import FaultyProxy
@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

@Table
final class Keeper {
    var id: Int64?
    var name: String

    init(name: String) { self.name = name }
}

@Table
final class Book {
    var id: Int64?
    var title: String

    init(title: String) { self.title = title }
}

@Table
final class Shelf {
    var id: Int64?
    var name: String
    var keeper: Keeper?
    var tags: [String] = []
    var books: [Book] = []

    init(name: String) { self.name = name }
}

@Table
final class Library {
    var id: Int64?
    var shelves: [Shelf] = []

    init() {}
}

/// How often a load waits for the server, once what it needs is prepared: counted on the way to the server.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct RoundTripTests {
    @Test func `a load begins its transaction with its first statements, and ends it with its last ones`() async throws
    {
        try await withLibrary(delay: 0.003) { db, _, proxy, library async throws in
            let shelf = try #require(library.shelves.first)
            let key = try #require(shelf.id)
            // The keepers of the shelves are known when these have come.
            try await Self.expect(2, proxy) {
                let shelves = try await db.fetch(Shelf.self)
                #expect(shelves.map(\.tags) == [["a", "b"], []] && shelves.map(\.keeper?.name) == ["Ann", nil])
                #expect(shelves.map { $0.books.map(\.title) } == [["one", "two"], ["two"]])
            }
            try await Self.expect(2, proxy) {
                let found = try await db.find(Shelf.self, key: key)
                #expect(found?.tags == ["a", "b"] && found?.keeper?.name == "Ann" && found?.books.count == 2)
            }
            try await Self.expect(2, proxy) {
                let some = try await db.query(Shelf.self).where { $0.name == "first" }.fetch()
                #expect(some.map { $0.books.map(\.title) } == [["one", "two"]])
            }
            try await Self.expect(2, proxy) {
                let libraries = try await db.fetch(Library.self)
                #expect(libraries.first?.shelves.map { $0.books.map(\.title) } == [["one", "two"], ["two"]])
            }
            // That nothing follows is known only when no row has come.
            try await Self.expect(2, proxy) {
                let found = try await db.find(Shelf.self, key: 0)
                #expect(found == nil)
            }
            try await Self.expect(1, proxy) {
                let shelves = try await db.query(Shelf.self).depth(0).fetch()
                #expect(shelves.map(\.tags) == [["a", "b"], []])
            }
        }
    }

    @Test func `a load of which nothing was read yet takes another connection when its own is lost`() async throws {
        try await withLibrary { db, calls, _, library async throws in
            let shelf = try #require(library.shelves.first)
            let key = try #require(shelf.id)
            for isPrepared in [false, true, true] {
                func losing(_ load: () async throws -> [Shelf]) async throws {
                    if isPrepared { _ = try await load() }
                    calls.lose(after: 0)
                    let shelf = try #require(try await load().first)
                    #expect(calls.hasLost && shelf.tags == ["a", "b"] && shelf.keeper?.name == "Ann")
                    #expect(shelf.books.map(\.title) == ["one", "two"])
                }
                try await losing { try await db.fetch(Shelf.self) }
                try await losing { try await [db.find(Shelf.self, key: key)].compactMap(\.self) }
                try await losing { try await db.query(Shelf.self).where { $0.name == "first" }.fetch() }
                try await losing {
                    let bare = try await db.query(Shelf.self).depth(0).fetch()
                    calls.lose(after: 0)
                    try await db.loadRelation(\.books, of: bare)
                    calls.lose(after: 0)
                    try await db.loadRelation(\.keeper, of: bare)
                    return bare
                }
                try await losing {
                    try await db.reload(shelf)
                    return [shelf]
                }
            }
        }
    }

    @Test func `a load of which something was read, or whose statement is the caller's, is not done again`()
        async throws
    {
        try await withLibrary { db, calls, _, _ async throws in
            func load(losingAfter count: Int) async throws -> [Shelf] {
                calls.lose(after: count)
                return try await db.sql("SELECT * FROM shelf ORDER BY id").fetch(Shelf.self)
            }
            // BEGIN comes first, then the caller's statement, then what its rows lead to.
            #expect(try await load(losingAfter: 0).map { $0.books.count } == [2, 1])
            for count in [1, 2] {
                let error = await #expect(throws: DatabaseError.self) { try await load(losingAfter: count) }
                #expect(error?.code == .connectionLost && calls.hasLost)
            }
            #expect(try await db.fetch(Library.self).first?.shelves.count == 2)
            calls.lose(after: 1)
            let error = await #expect(throws: DatabaseError.self) { try await db.fetch(Library.self) }
            #expect(error?.code == .connectionLost && calls.hasLost)
        }
    }

    @Test func `a load in a transaction leaves that open`() async throws {
        struct Refusal: Error {}
        try await withLibrary { db, _, _, _ async throws in
            for _ in 0..<3 {
                await #expect(throws: Refusal.self) {
                    try await db.transaction(isolation: .repeatableRead) { transaction in
                        #expect(try await transaction.fetch(Shelf.self).count == 2)
                        _ = try await transaction.save(Book(title: "three"))
                        #expect(try await transaction.fetch(Library.self).first?.shelves.count == 2)
                        throw Refusal()
                    }
                }
            }
            #expect(try await db.fetch(Book.self).map(\.title).sorted() == ["one", "two"])
        }
    }

    /// Calls `operation` until what it needs is prepared, and then expects it to wait for the server so many times.
    private static func expect(
        _ count: Int, _ proxy: FaultyProxy, _ operation: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<3 { try await operation() }
        let before = proxy.roundTrips
        try await operation()
        #expect(proxy.roundTrips - before == count, sourceLocation: sourceLocation)
    }

    /// Calls `body` with a database of one connection, what loses that on purpose, and the proxy by which it goes.
    ///
    /// - Parameter delay: How long bytes are on their way, in each direction, in seconds.
    private func withLibrary(
        delay: Double = 0, _ body: (Database, Losses, FaultyProxy, Library) async throws -> Void
    ) async throws {
        try await TestServer.withSchema { driver async throws in
            let calls = Losses()
            let (proxy, url) = try TestServer.proxy(delay: delay)
            defer { proxy.stop() }
            let configuration = DatabaseConfiguration.postgres(url: url, schema: driver.options.schema).with {
                $0.pool.maximumConnections = 1
                let make = $0.makeDriver
                $0.makeDriver = { LosingDriver(base: try make($0), calls: calls) }
            }
            try await Database.withDatabase(configuration) { db in
                try await db.migrate(Library.self, Shelf.self, Book.self, Keeper.self)
                let library = Library()
                let (first, second, two) = (Shelf(name: "first"), Shelf(name: "second"), Book(title: "two"))
                first.keeper = Keeper(name: "Ann")
                first.tags = ["a", "b"]
                first.books = [Book(title: "one"), two]
                second.books = [two]
                library.shelves = [first, second]
                try await db.save(library)
                try await body(db, calls, proxy, library)
            }
        }
    }
}

/// By which call of a driver's connections one of them is lost.
private final class Losses: Sendable {
    private let callsUntilLoss = Mutex<Int?>(nil)

    /// Notes a call, and returns whether its connection is lost.
    func noteCall() -> Bool {
        callsUntilLoss.withLock { left in
            guard let count = left else { return false }
            left = count > 0 ? count - 1 : nil
            return count == 0
        }
    }

    /// Loses a connection by the call that comes after so many others.
    func lose(after count: Int) { callsUntilLoss.withLock { $0 = count } }

    /// Whether what was to be lost was.
    var hasLost: Bool { callsUntilLoss.withLock { $0 == nil } }
}

private struct LosingDriver: Driver {
    let base: any Driver
    let calls: Losses

    var dialect: any Dialect { base.dialect }
    var sharing: ConnectionSharing { base.sharing }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        LosingConnection(base: try await base.connect(role), calls: calls)
    }

    func shutdown() async { await base.shutdown() }
}

private final class LosingConnection: DriverConnection {
    private let base: any DriverConnection
    private let calls: Losses
    private let isLost = Atomic<Bool>(false)

    init(base: any DriverConnection, calls: Losses) {
        self.base = base
        self.calls = calls
    }

    var capabilities: Capabilities { base.capabilities }
    var transactionStatus: TransactionStatus { base.transactionStatus }
    var isUsable: Bool { base.isUsable && !isLost.load(ordering: .relaxed) }

    private func noteCall() throws {
        guard calls.noteCall() else { return }
        isLost.store(true, ordering: .relaxed)
        throw DatabaseError(.connectionLost, "This connection is lost on purpose.")
    }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        try noteCall()
        return try await base.run(statement, parameters, timeout: timeout, consume: consume)
    }

    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], begin: Statement?, timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws {
        try noteCall()
        try await base.runTogether(runs, begin: begin, timeout: timeout, receive: receive)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        try noteCall()
        return try await base.openCursor(statement, parameters, timeout: timeout)
    }

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        try await base.schema(request, timeout: timeout)
    }

    func close() async { await base.close() }
}
