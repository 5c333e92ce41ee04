import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Queries on tables of SQLite that another program has made.
///
/// A column there holds values of any storage class, whatever it was
/// declared as. A query gives the right answer, or throws; it never answers wrongly.
@Suite struct LooseTableTests {
    @Table("loose") struct OfInt { var id: Int64?; var value: Int }
    @Table("loose") struct OfDouble { var id: Int64?; var value: Double }
    @Table("loose") struct OfDecimal { var id: Int64?; var value: Decimal }
    @Table("loose") struct OfBool { var id: Int64?; var value: Bool }
    @Table("loose") struct OfText { var id: Int64?; var value: String }
    @Table("loose") struct OfDate { var id: Int64?; var value: Date }
    @Table("loose") struct OfUUID { var id: Int64?; var value: UUID }
    @Table("loose") struct OfDateText { var id: Int64?; @Column(storage: .iso8601) var value: Date }

    /// Declared types of each affinity: none, INTEGER, TEXT, REAL, NUMERIC.
    static let declarations = ["", "INTEGER", "VARCHAR(20)", "DOUBLE", "DECIMAL(10,2)", "DATETIME", "BLOB"]
    /// Literals of each storage class.
    static let literals = ["5", "12", "100", "2.5", "'7'", "'abc'", "x'01'", "NULL"]

    /// Asks about a type, and compares the answers with the objects that can be read.
    private func check<Model: TableObject, Value: Comparable>(
        _ model: Model.Type, _ value: (Model) -> Value, _ db: Database, _ asks: [String: (Value) -> Bool]
    ) async throws {
        let all = try? await db.fetch(Model.self).map(value)
        for (text, isWanted) in asks {
            let query = db.query(Model.self).where(Condition(parsing: text))
            guard let all else {
                // A row can't be read as the type: the condition throws, or leaves that row out, or reading it throws.
                if let found = try? await query.fetch() { #expect(found.count <= 2, "\(model) \(text)") }
                continue
            }
            let expected = all.filter(isWanted).sorted()
            let found = try await query.fetch().map(value).sorted()
            #expect(found == expected, "\(model) \(text)")
            let count = try await query.count()
            #expect(count == expected.count, "\(model) \(text)")
        }
        guard let all else { return }
        let ordered = try await db.fetch(Model.self, QueryOptions(orderBy: [.ascending("value")])).map(value)
        #expect(ordered == all.sorted(), "\(model)")
    }

    @Test(arguments: declarations, literals)
    func `each type against each column and storage class`(declaration: String, literal: String) async throws {
        let db = try await Database.open(.sqlite(.inMemory))
        try await db.sql("CREATE TABLE loose (id INTEGER PRIMARY KEY, value \(unsafe: declaration))").execute()
        for value in ["3", literal, "40"] {
            try await db.sql("INSERT INTO loose (value) VALUES (\(unsafe: value))").execute()
        }
        let integers: [String: (Int) -> Bool] = [
            "value > 10": { $0 > 10 }, "value < 10": { $0 < 10 }, "value = 5": { $0 == 5 },
            "value IN (3, 12)": { $0 == 3 || $0 == 12 },
        ]
        try await check(OfInt.self, { $0.value }, db, integers)
        let doubles: [String: (Double) -> Bool] = [
            "value > 10": { $0 > 10 }, "value <= 10": { $0 <= 10 }, "value = 2.5": { $0 == 2.5 },
        ]
        try await check(OfDouble.self, { $0.value }, db, doubles)
        let decimals: [String: (Decimal) -> Bool] = [
            "value > 10": { $0 > 10 }, "value < 10": { $0 < 10 }, "value = 5": { $0 == 5 }, "value <> 5": { $0 != 5 },
            "value IN (3, 12)": { $0 == 3 || $0 == 12 }, "value + 1 = 6": { $0 == 5 },
        ]
        try await check(OfDecimal.self, { $0.value }, db, decimals)
        let texts: [String: (String) -> Bool] = [
            "value > '10'": { $0 > "10" }, "value = '7'": { $0 == "7" }, "value LIKE 'a%'": { $0.hasPrefix("a") },
        ]
        try await check(OfText.self, { $0.value }, db, texts)
        try await db.close()
    }

    @Test func `a condition on dates that are texts, or Booleans that are words, is refused`() async throws {
        let db = try await Database.open(.sqlite(.inMemory))
        try await db.sql("CREATE TABLE loose (id INTEGER PRIMARY KEY, value DATETIME)").execute()
        try await db.sql("INSERT INTO loose (value) VALUES ('2009-01-01 00:00:00')").execute()
        func code(_ body: () async throws -> Void) async -> DatabaseError.Code? {
            do { try await body() } catch { return (error as? DatabaseError)?.code }
            return nil
        }
        #expect(await code { _ = try await db.query(OfDate.self).where { $0.value > Date() }.count() } == .decoding)
        #expect(await code { _ = try await db.query(OfDate.self).where { $0.value == Date() }.count() } == .decoding)
        #expect(await code { _ = try await db.query(OfBool.self).where { $0.value }.count() } == .decoding)
        #expect(await code { _ = try await db.query(OfUUID.self).where { $0.value == UUID() }.count() } == .decoding)
        #expect(await code { _ = try await db.query(OfDecimal.self).sum { $0.value } } == .decoding)
        #expect(await code { _ = try await db.query(OfDouble.self).max { $0.value } } == .decoding)
        #expect(await code { _ = try await db.query(OfDate.self).order { [$0.value.ascending] }.fetch() } == .decoding)
        try await db.close()
    }

    @Test func `dates that others wrote as text are compared as dates, and others are refused`() async throws {
        let db = try await Database.open(.sqlite(.inMemory))
        try await db.sql("CREATE TABLE loose (id INTEGER PRIMARY KEY, value DATETIME)").execute()
        // The second is the first of all.
        for text in ["2009-01-01T00:00:00Z", "2009-01-01T00:30:00+01:00", "2009-01-01 00:00:00.5Z"] {
            try await db.sql("INSERT INTO loose (value) VALUES (\(text))").execute()
        }
        let newYear = Date(timeIntervalSince1970: 1_230_768_000)
        let all = db.query(OfDateText.self)
        #expect(try await all.where { $0.value >= newYear }.keys().map(\.int64) == [1, 3])
        #expect(try await all.where { $0.value == newYear }.keys().map(\.int64) == [1])
        #expect(try await all.where { $0.value.in([newYear]) }.keys().map(\.int64) == [1])
        #expect(try await all.order { [$0.value.ascending] }.fetch().map(\.id) == [2, 1, 3])
        try await db.sql("INSERT INTO loose (value) VALUES ('2009-01-01 00:00:00')").execute()
        for query in [all.where { $0.value >= newYear }, all.where { $0.value == newYear }] {
            let error = await #expect(throws: DatabaseError.self) { try await query.count() }
            #expect(error?.code == .decoding)
        }
        try await db.close()
    }

    @Test func `an index on a column of another program is of use to equality`() async throws {
        let db = try await Database.open(.sqlite(.inMemory))
        try await db.sql("CREATE TABLE loose (id INTEGER PRIMARY KEY, value INTEGER)").execute()
        try await db.sql("CREATE INDEX loose_value ON loose (value)").execute()
        _ = try await db.query(OfInt.self).count()
        let plan = try await db.query(OfInt.self).where { $0.value == 5 }.explain()
        #expect("\(plan)".contains("loose_value"))
        try await db.close()
    }
}
