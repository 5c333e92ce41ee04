import Foundation
import Holdfast
import Testing

@testable import HoldfastSQLite

@Suite struct ProgramFunctionTests {
    private struct Failure: Error {}

    private func open(_ functions: ProgramFunction...) async throws -> Database {
        try await Database.open(DatabaseConfiguration.sqlite(.inMemory).with { $0.functions = functions })
    }

    @Test(arguments: ["lower", "SUM", "holdfast_sum", "holdfast_moved", "", "a b", "s.f", "f\"", "1f"])
    func `a name that is none, or that SQLite has, is refused`(name: String) async {
        let error = await databaseError { _ = try await open(DatabaseFunction<Int>(name).computed { (a: Int) in a }) }
        #expect(error?.code == .invalidValue)
    }

    @Test func `functions differ in their names or in the numbers of their values`() async throws {
        let one = DatabaseFunction<Int>("f")
        let error = await databaseError {
            _ = try await open(one.computed { (a: Int) in a }, DatabaseFunction<Int>("F").computed { (a: String) in 1 })
        }
        #expect(error?.code == .invalidValue)
        let db = try await open(one.computed { (a: Int) in a + 1 }, one.computed { (a: Int, b: Int) in a * b })
        let sums = try await db.sql("SELECT f(1) + f(2, 3)").fetch(as: Int.self)
        #expect(sums == [8])
        try await db.close()
    }

    @Test func `values of all types come and go`() async throws {
        let db = try await open(
            DatabaseFunction<String>("same_text").computed { (a: String) in a },
            DatabaseFunction<Data>("same_data").computed { (a: Data) in a },
            DatabaseFunction<Bool?>("other").computed { (a: Bool?) in a.map { !$0 } },
            DatabaseFunction<Double>("half").computed { (a: Double) in a / 2 },
            DatabaseFunction<Date>("later").computed { (a: Date) in a.addingTimeInterval(1) })
        let found = try await db.sql(
            """
            SELECT typeof(same_text('')) || length(same_text('abc')) || typeof(same_data(x'')) || hex(same_data(x'00ff'))
            || typeof(other(NULL)) || other(1) || half(3) || half(2.0) || later(0) || typeof(same_text(NULL))
            """
        ).fetch(as: String.self)
        #expect(found == ["text3blob00FFnull01.51.01000000null"])
        try await db.close()
    }

    @Test func `what goes wrong in a function ends the statement`() async throws {
        let db = try await open(
            DatabaseFunction<Int>("fails").computed { (a: Int) -> Int in
                if a > 1 { throw Failure() }
                return a
            },
            DatabaseFunction<Int>("refuses").computed { (_: Int) -> Int in
                throw DatabaseError(.conflict, "No.")
            })
        let error = await databaseError { _ = try await db.sql("SELECT fails(2)").fetch(as: Int.self) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "The function \"fails\" threw a Failure.")
        let own = await databaseError { _ = try await db.sql("SELECT refuses(2)").fetch(as: Int.self) }
        #expect(own?.code == .conflict)
        let mismatch = await databaseError { _ = try await db.sql("SELECT fails('a')").fetch(as: Int.self) }
        #expect(mismatch?.code == .invalidValue)
        let unknown = await databaseError { _ = try await db.sql("SELECT fails(1, 2)").fetch(as: Int.self) }
        #expect(unknown?.code == .syntax)
        #expect(try await db.sql("SELECT fails(1)").fetch(as: Int.self) == [1])
        try await db.close()
    }

    @Test func `no trigger calls a function of the program`() async throws {
        let db = try await open(DatabaseFunction<Int>("f").computed { (a: Int) in a })
        try await db.sql("CREATE TABLE t (a)").execute()
        let index = await databaseError { try await db.sql("CREATE INDEX i ON t (f(a))").execute() }
        #expect(index != nil)
        let change = await databaseError {
            try await db.sql("CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = f(a); END").execute()
            try await db.sql("INSERT INTO t VALUES (1)").execute()
        }
        #expect(change != nil)
        try await db.close()
    }
}
