import Foundation
import Holdfast

/// Objects that are gone from an instant on.
extension ConformanceCase {
    static let exp5: [ConformanceCase] = [
        ConformanceCase("exp-5.schema", "EXP-5", "A migration makes the index by which expired rows are found") {
            environment in
            let db = try await environment.open(LastingPermit.self)
            _ = try await db.save(LastingPermit(id: 1, until: Date(timeIntervalSince1970: 0)))
            try expect(try await db.count(LastingPermit.self), equals: 1, "the objects before they expire")
            let plan = try await db.migrate(Permit.self)
            try expect(plan.steps.map(\.sql).filter { $0.contains("CREATE INDEX") }.count, equals: 1, "the new index")
            try expect(plan.steps.count, equals: 1, "the steps")
            try expect(try await db.migrate(Permit.self).steps.count, equals: 0, "the steps of a second migration")
            try expect(try await db.count(Permit.self), equals: 0, "the objects that have not expired")
            try expect(try await db.sweepExpired(Permit.self), equals: 1, "what was swept")
            try expect(try await db.count(LastingPermit.self), equals: 0, "the rows left")
        }
    ]
}

/// A table before its objects expired.
@Table("permit")
struct LastingPermit {
    let id: Int64
    var until: Date?
}

/// The same table, whose objects expire.
@Table
struct Permit {
    let id: Int64
    @Expires var until: Date?
}
