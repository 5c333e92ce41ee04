import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Values that SQLite would make other values of, in columns that another program has declared as numeric.
@Suite struct LooseNumberTests {
    @Table("amount") struct OfDecimal { var id: Int64?; var value: Decimal? }
    @Table("amount") struct OfText { var id: Int64?; var value: String? }
    @Table("amount") final class Amount {
        var id: Int64?
        var value: Decimal
        init(_ value: Decimal) { self.value = value }
    }

    static let declarations = ["NUMERIC", "ANY", "DECIMAL(10,2)", "INTEGER", "REAL", "DOUBLE PRECISION", "DATE"]

    private func withTable(_ declaration: String, _ body: (Database) async throws -> Void) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.sql("CREATE TABLE amount (id INTEGER PRIMARY KEY, value \(unsafe: declaration))").execute()
            try await body(db)
        }
    }

    @Test(
        arguments: declarations,
        [
            "0", "-1.5", "12.00", "123456789012345", "0.123456789012345", "1234567890123.45", "1.23456789012345678901",
            "1234567890123456.5", "9223372036854775807", "9223372036854775808", "-0.00001", "100000000000000000000",
        ])
    func `a decimal comes back as it was saved, or is refused`(declaration: String, text: String) async throws {
        try await withTable(declaration) { db async throws in
            let value = try #require(Decimal(string: text))
            var saved = OfDecimal(id: nil, value: value)
            do {
                saved = try await db.insert(saved)
                #expect(try await db.fetch(OfDecimal.self).map(\.value) == [value])
                _ = try await db.update(saved)
            } catch let error as DatabaseError {
                #expect(error.code == .invalidValue && error.table == "amount" && error.properties == ["value"])
                #expect(try await db.count(OfDecimal.self) == 0)
                let digitCount = text.filter(\.isNumber).count
                #expect(digitCount > 15)
            }
        }
    }

    @Test(arguments: declarations, ["007", "7", " 7 ", "1e3", "+1", ".5", "5.", "-0", "9e999", "\t1\n"])
    func `a text that looks like a number is refused`(declaration: String, text: String) async throws {
        try await withTable(declaration) { db async throws in
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await db.insert(OfText(id: nil, value: text))
            }
            #expect(error?.code == .invalidValue && error?.properties == ["value"])
            #expect(try await db.count(OfText.self) == 0)
        }
    }

    @Test(arguments: declarations) func `an update by a query does not make a number of a text`(
        declaration: String
    ) async throws {
        try await withTable(declaration) { db async throws in
            let id = try await db.insert(OfText(id: nil, value: "abc")).id
            let error = await #expect(throws: DatabaseError.self) {
                try await db.query(OfText.self).where { $0.id == id }.update { $0.value.set("007") }
            }
            #expect(error?.code == .invalidValue && error?.properties == ["value"])
            try await db.query(OfText.self).where { $0.value == "abc" }.update { $0.value.set("x007") }
            #expect(try await db.query(OfText.self).fetch().map(\.value) == ["x007"])
        }
    }

    @Test(
        arguments: declarations, ["", "abc", "0x10", "1e", "1_000", "1 2", "2021-01-01", "NaN", "inf", ".", "+", "--1"])
    func `any other text is stored`(declaration: String, text: String) async throws {
        try await withTable(declaration) { db async throws in
            _ = try await db.insert(OfText(id: nil, value: text))
            #expect(try await db.fetch(OfText.self).map(\.value) == [text])
        }
    }

    @Test func `in a batch, the object is named and nothing is stored`() async throws {
        try await withTable("NUMERIC") { db async throws in
            let amounts = try ["1", "2", "1.23456789012345678901", "3"].map {
                Amount(try #require(Decimal(string: $0)))
            }
            let error = await #expect(throws: DatabaseError.self) { try await db.save(amounts) }
            #expect(error?.code == .invalidValue && error?.objectIndex == 2)
            #expect(try await db.count(Amount.self) == 0)
            amounts[2].value = 4
            try await db.save(amounts)
            #expect(try await db.count(Amount.self) == 4)
        }
    }

    @Test func `a column that is text takes everything`() async throws {
        try await withTable("VARCHAR(20)") { db async throws in
            _ = try await db.insert(OfText(id: nil, value: "007"))
            #expect(try await db.fetch(OfText.self).map(\.value) == ["007"])
        }
    }

    struct Size: Codable, Sendable, Hashable { var value: Double }
    @Table("amount") struct OfInt { var id: Int64?; var value: Int }
    @Table("amount") struct OfDate { var id: Int64?; var value: Date }

    @Test(arguments: ["REAL", "DOUBLE", "FLOAT"]) func `what can not be read as an integer is not stored as one`(
        declaration: String
    ) async throws {
        try await withTable(declaration) { db async throws in
            for save in [
                { _ = try await db.insert(OfInt(id: nil, value: 5)) },
                { _ = try await db.insert(OfDate(id: nil, value: Date(timeIntervalSince1970: 0))) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: DatabaseError.self) { try await save() }
                #expect(error?.code == .invalidValue && error?.properties == ["value"])
            }
            #expect(try await db.count(OfInt.self) == 0)
        }
    }

    @Test func `a column of any type in a STRICT table keeps what it is given`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            try await db.sql("CREATE TABLE amount (id INTEGER PRIMARY KEY, value ANY) STRICT").execute()
            _ = try await db.insert(OfText(id: nil, value: "007"))
            #expect(try await db.fetch(OfText.self).map(\.value) == ["007"])
        }
    }
}
