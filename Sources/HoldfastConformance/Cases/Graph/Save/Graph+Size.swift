import Foundation
import Holdfast

/// How far a load goes that nobody bounds, and what the configuration and the log say to that.
extension ConformanceCase {
    static let graphSize: [ConformanceCase] = [
        graph(
            "rel-4.default-depth", "REL-4",
            "The configuration says how many levels a load follows that is not given a depth itself"
        ) {
            environment in
            let db = try await environment.open(Company.self) { $0.defaultDepth = 0 }
            let key = try await saveStaff(3, db)
            func isLoaded(_ company: Company?) -> Bool { company?.isLoaded(\.staff) ?? false }
            func expectNone(_ company: Company?, _ how: String) throws {
                let company = try expect(some: company, "the company (\(how))")
                try expect(!isLoaded(company), "\(how) follows relations.")
            }
            try expectNone(try await db.find(Company.self, key: key), "A find")
            try expectNone(try await db.fetch(Company.self, keys: [key]).first, "A fetch by keys")
            try expectNone(try await db.fetch(Company.self).first, "A fetch")
            try expectNone(try await db.query(Company.self).one(), "A query")
            try expectNone(try await db.sql("SELECT * FROM company").fetch(Company.self).first, "Raw SQL")
            for try await company in db.query(Company.self).stream() { try expectNone(company, "A stream") }
            for depth in [1, .max] {
                let company = try await db.find(Company.self, key: key, depth: depth)
                try expect(company?.staff.count, equals: 3, "the staff, with a depth")
                try expect(isLoaded(try await db.query(Company.self).depth(depth).one()), "A query ignores its depth.")
            }
            let named = try await db.find(Company.self, key: key, including: ["staff"])
            try expect(named?.staff.count, equals: 3, "the staff, included by name")
            let company = try expect(some: try await db.find(Company.self, key: key), "the company")
            try await db.loadRelation(\.staff, of: company)
            try expect(company.staff.count, equals: 3, "the staff, loaded later")
            try await db.reload(company)
            try expectNone(company, "A reload")
            try await expect(.invalidValue, from: "a negative depth") {
                _ = try await environment.open { $0.defaultDepth = -1 }
            }
        },
        graph(
            "rel-4.maximum-objects", "REL-4",
            "A load that brings more objects than the configuration allows is refused, with the relation that brought them"
        ) {
            environment in
            let db = try await environment.open(Company.self, Sticker.self)
            let key = try await saveStaff(30, db)
            try await db.save((0..<30).map { _ in Sticker(.calm) })
            let bounded = try await environment.open { $0.maximumObjectsPerLoad = 20 }
            func expectRefusal(
                _ how: String, _ load: nonisolated(nonsending) () async throws -> Void
            ) async throws {
                let error = try await expect(.unsupported, from: how, load)
                try expect(error.properties, equals: ["staff"], "the property that the error names (\(how))")
                try expect(
                    error.message.contains("\"staff\" of Company") && error.message.contains("20"),
                    "The error does not say what brought the objects: \(error.message)")
            }
            try await expectRefusal("a find") { _ = try await bounded.find(Company.self, key: key) }
            try await expectRefusal("a fetch") { _ = try await bounded.fetch(Company.self) }
            try await expectRefusal("a query") { _ = try await bounded.query(Company.self).fetch() }
            try await expectRefusal("raw SQL") {
                _ = try await bounded.sql("SELECT * FROM company").fetch(Company.self)
            }
            try await expectRefusal("a stream") { for try await _ in bounded.query(Company.self).stream() {} }
            let company = try expect(some: try await bounded.find(Company.self, key: key, depth: 0), "the company")
            try await expectRefusal("a reload") { try await bounded.reload(company) }
            try await expectRefusal("a relation loaded later") { try await bounded.loadRelation(\.staff, of: company) }
            try expect(!company.isLoaded(\.staff), "What was refused changed the object.")
            try await expect(.unsupported, from: "a fetch of a type without relations") {
                _ = try await bounded.fetch(Sticker.self)
            }
            try expect(try await bounded.query(Sticker.self).limit(20).fetch(), count: 20, "stickers")
            try await db.sql("UPDATE employee SET company_id = NULL WHERE id > (SELECT min(id) + 18 FROM employee)")
                .execute()
            let rest = try await bounded.find(Company.self, key: key)
            try expect(rest?.staff.count, equals: 19, "the staff, as many as one load may bring")
            try await expect(.invalidValue, from: "a maximum of nothing") {
                _ = try await environment.open { $0.maximumObjectsPerLoad = 0 }
            }
        },
        graph(
            "rel-4.large-load", "REL-4",
            "A load that brings thousands of objects that it was not asked for is logged, once for each relation"
        ) {
            environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Company.self) { $0.logger = recorder.logger }
            let key = try await saveStaff(1, db)
            func lines() -> [String] { recorder.lines.filter { $0.hasPrefix("warning") && $0.contains("staff") } }
            _ = try await db.find(Company.self, key: key)
            try expect(lines(), equals: [], "the warnings about few objects")
            try await db.sql(
                """
                INSERT INTO employee (name, company_id) WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n \
                WHERE x < 6000) SELECT 'e', (SELECT min(id) FROM company) FROM n
                """
            ).execute()
            try expect(try await db.fetch(Employee.self, depth: 0), count: 6_001, "employees")
            try expect(lines(), equals: [], "the warnings about objects that were asked for")
            for _ in 0..<2 { _ = try await db.find(Company.self, key: key) }
            try expect(lines(), count: 1, "warnings")
            try expect(lines()[0].contains("\"staff\" of Company"), "The warning does not name the relation.")
        },
    ]

    /// Saves a company with so many employees, and returns its key.
    private static func saveStaff(_ count: Int, _ db: Database) async throws -> Int64 {
        let company = Company("Acme")
        company.staff = (0..<count).map { Employee("e\($0)") }
        try await db.save(company)
        return try expect(some: company.id, "the key of the company")
    }
}
