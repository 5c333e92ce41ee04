import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// The statements of queries inside of queries, of sets, trees and pairs.
@Suite struct InnerQueryTests {
    private func check<Model>(
        _ query: Query<Model>, _ expected: String, sqlite: String? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for (sql, expected) in [
            (try query.sql(for: .postgres), expected), (try query.sql(for: .sqlite), sqlite ?? expected),
        ] {
            let start = sql.range(of: " WHERE ")?.upperBound ?? sql.startIndex
            #expect(sql[start...] == expected + #" ORDER BY t0."id""#, sourceLocation: location)
        }
    }

    private let all = Query(Project.self)

    @Test func `exists names the columns of both, also of one type`() throws {
        try check(
            all.where { p in .exists(Person.self) { $0.age == p.lead.spouse.age && $0 != p.lead } },
            #"EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."age" = t3."age" AND t1."id" IS DISTINCT FROM t0."lead_id")"#,
            sqlite:
                #"EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."age" = t3."age" AND t1."id" IS NOT t0."lead_id")"#
        )
        try check(
            Query(Person.self).where { p in !.exists(Person.self) { $0.spouse == p } },
            #"NOT EXISTS (SELECT 1 FROM "person" AS t1 WHERE t1."spouse_id" = t0."id")"#)
    }

    @Test func `lists and values are subqueries`() throws {
        try check(
            all.where { $0.size.in(Query(Project.self).where { $0.status == .done }.select { $0.size }) },
            #"t0."size" IN (SELECT t1."size" FROM "project" AS t1 WHERE t1."status" = $1)"#,
            sqlite: #"t0."size" IN (SELECT t1."size" FROM "project" AS t1 WHERE t1."status" COLLATE BINARY = ?)"#)
        try check(
            all.where { $0.lead.in(Query(Person.self).order(\.age, .descending).limit(9)) },
            #"t0."lead_id" IN (SELECT t1."id" FROM "person" AS t1 ORDER BY t1."age" DESC, t1."id" LIMIT 9)"#)
        try check(
            all.where { p in Query(Meeting.self).where { $0.id == p.lead.id }.rowCount > 3 },
            #"(SELECT count(*) FROM "meeting" AS t1 WHERE t1."id" = t0."lead_id") > $1::bigint"#,
            sqlite: #"(SELECT count(*) FROM "meeting" AS t1 WHERE t1."id" = t0."lead_id") > ?"#)
    }

    @Test func `a tree is one recursion`() throws {
        try check(
            Query(Person.self).where { $0.isDescendant(ofKey: 7, via: \.spouse, depth: 2) },
            #"t0."id" IN (WITH RECURSIVE t1 (k0, level) AS (SELECT t2."id", 1 FROM "person" AS t2 WHERE t2."spouse_id" = $1 UNION SELECT t3."id", t1.level + 1 FROM "person" AS t3 JOIN t1 ON t3."spouse_id" = t1.k0 WHERE t1.level < 2) SELECT t1.k0 FROM t1 WHERE t1.k0 <> $2)"#,
            sqlite:
                #"t0."id" IN (WITH RECURSIVE t1 (k0, level) AS (SELECT t2."id", 1 FROM "person" AS t2 WHERE t2."spouse_id" = ? UNION SELECT t3."id", t1.level + 1 FROM "person" AS t3 JOIN t1 ON t3."spouse_id" = t1.k0 WHERE t1.level < 2) SELECT t1.k0 FROM t1 WHERE t1.k0 <> ?)"#
        )
    }

    @Test func `sets are conditions, and what is cut is a list of keys`() throws {
        let small = all.where { $0.size < 3 }
        try check(
            small.union(all.where { $0.hours == nil }), #"t0."size" < $1 OR t0."hours" IS NULL"#,
            sqlite: #"t0."size" < ? OR t0."hours" IS NULL"#)
        try check(
            small.subtracting(all.limit(5)),
            #"t0."size" < $1 AND (t0."id" IN (SELECT t1."id" FROM "project" AS t1 ORDER BY t1."id" LIMIT 5)) IS NOT TRUE"#,
            sqlite:
                #"t0."size" < ? AND (t0."id" IN (SELECT t1."id" FROM "project" AS t1 ORDER BY t1."id" LIMIT 5)) IS NOT TRUE"#
        )
    }

    @Test func `the first few of each group are as many inside of a query, and nothing is locked there`() throws {
        let firsts = all.first(3, ofEach: { $0.size })
        for query in [all.union(firsts), all.where { .exists(firsts) && $0.hours != nil }] {
            #expect(try query.sql(for: .postgres).contains("rank <= 3"))
        }
        for query in [
            all.union(all.locked()), all.union(all.locked().limit(2)), all.where { _ in .exists(all.locked()) },
        ] {
            let error = #expect(throws: DatabaseError.self) { try query.sql(for: .postgres) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func `pairs are joined by their condition`() throws {
        let joined = all.leftJoined(to: Person.self) { $0.name == $1.lastName && $1.spouse.age > 3 }
        #expect(
            try joined.select { ($0.name, $1.age.optional) }.sql(for: .postgres)
                == #"SELECT t0."name", t1."age" FROM "project" AS t0 LEFT JOIN ("person" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."spouse_id") ON t0."name" = t1."last_name" AND t2."age" > $1 ORDER BY t0."id", t1."id" NULLS FIRST"#
        )
    }
}
