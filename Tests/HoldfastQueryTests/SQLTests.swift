import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// The statements of queries, in both dialects: what is sent, to the letter.
@Suite struct SQLTests {
    private func check<Model>(
        _ query: Query<Model>, _ filter: (sqlite: String, postgres: String),
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for (sql, expected) in [
            (try query.sql(for: .sqlite), filter.sqlite), (try query.sql(for: .postgres), filter.postgres),
        ] {
            #expect(sql.drop { $0 != "F" }.dropPrefix(upTo: "FROM ") == expected, sourceLocation: location)
        }
    }

    private let all = Query(Project.self)

    @Test func `comparisons bind values, and compare texts by their bytes`() throws {
        try check(
            all.where { $0.name == "x" && $0.hours > 3 },
            (
                #"FROM "project" AS t0 WHERE t0."name" COLLATE BINARY = ? AND t0."hours" > ? ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE t0."name" = $1 AND t0."hours" > $2 ORDER BY t0."id""#
            ))
        try check(
            all.where { $0.budget >= 10 || $0.hours != 3 },
            (
                #"FROM "project" AS t0 WHERE t0."budget" COLLATE holdfast_decimal >= ? OR t0."hours" IS NOT ? ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE t0."budget" >= $1 OR t0."hours" IS DISTINCT FROM $2 ORDER BY t0."id""#
            ))
    }

    @Test func `a negation is never unknown`() throws {
        try check(
            all.where { !($0.hours > 3 || $0.name == "x") && !$0.tags.isEmpty },
            (
                #"FROM "project" AS t0 WHERE (t0."hours" > ? OR t0."name" COLLATE BINARY = ?) IS NOT TRUE AND t0."id" IN (SELECT t1."project_id" FROM "project_tags" AS t1) ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE (t0."hours" > $1 OR t0."name" = $2) IS NOT TRUE AND t0."id" IN (SELECT t1."project_id" FROM "project_tags" AS t1) ORDER BY t0."id""#
            ))
    }

    @Test func `what nothing holds is found by the indexes of the relations that are named`() throws {
        let people =
            #"FROM "person" AS t0 WHERE NOT EXISTS (SELECT 1 FROM "project" AS t1 WHERE t1."lead_id" = t0."id") AND NOT EXISTS (SELECT 1 FROM "person" AS t2 WHERE t2."spouse_id" = t0."id") ORDER BY t0."id""#
        try check(Query(Person.self).unreferenced(by: \Project.lead, \Person.spouse), (people, people))
        let meetings =
            #"FROM "meeting" AS t0 WHERE NOT EXISTS (SELECT 1 FROM "project_meetings" AS t1 WHERE t1."meeting_id" = t0."id") ORDER BY t0."id""#
        try check(Query(Meeting.self).unreferenced(by: \Project.meetings), (meetings, meetings))
        let projects = #"FROM "project" AS t0 WHERE t0."lead_id" IS NULL ORDER BY t0."id""#
        try check(all.unreferenced(by: \Person.projects), (projects, projects))
    }

    @Test func `a relation is joined once, and its key needs no join`() throws {
        try check(
            all.where { $0.lead.lastName.hasPrefix("Sm") && $0.lead.age > 3 && $0.lead.spouse.id == 5 },
            (
                #"FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" WHERE (t1."last_name" COLLATE BINARY >= ? AND t1."last_name" COLLATE BINARY < ?) AND t1."age" > ? AND t1."spouse_id" = ? ORDER BY t0."id""#,
                #"FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" WHERE (t1."last_name"::text COLLATE "C" >= $1 AND t1."last_name"::text COLLATE "C" < $2) AND t1."age" > $3 AND t1."spouse_id" = $4 ORDER BY t0."id""#
            ))
        try check(
            all.where { $0.lead == nil },
            (
                #"FROM "project" AS t0 WHERE t0."lead_id" IS NULL ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE t0."lead_id" IS NULL ORDER BY t0."id""#
            ))
    }

    @Test func `an object is asked for what it has to have, and so is what it refers to`() throws {
        try check(
            Query(Page.self).where { $0.previous == nil },
            (
                #"FROM "page" AS t0 WHERE t0."previous_id" IS NULL AND t0."title" IS NOT NULL AND t0."id" IN (SELECT t1."page_id" FROM "page_paragraphs" AS t1) ORDER BY t0."id""#,
                #"FROM "page" AS t0 WHERE t0."previous_id" IS NULL AND t0."title" IS NOT NULL AND t0."id" IN (SELECT t1."page_id" FROM "page_paragraphs" AS t1) ORDER BY t0."id""#
            ))
        try check(
            Query(Link.self),
            (
                #"FROM "link" AS t0 LEFT JOIN "page" AS t1 ON t1."id" = t0."page_id" WHERE t0."page_id" IS NULL OR (t1."title" IS NOT NULL AND t0."page_id" IN (SELECT t2."page_id" FROM "page_paragraphs" AS t2)) ORDER BY t0."id""#,
                #"FROM "link" AS t0 LEFT JOIN "page" AS t1 ON t1."id" = t0."page_id" WHERE t0."page_id" IS NULL OR (t1."title" IS NOT NULL AND t0."page_id" IN (SELECT t2."page_id" FROM "page_paragraphs" AS t2)) ORDER BY t0."id""#
            ))
    }

    @Test func `arrays are asked by their tables`() throws {
        try check(
            all.where { $0.meetings.contains { $0.minutes > 60 } && $0.tags.contains("x") && $0.meetings.count > 1 },
            (
                #"FROM "project" AS t0 WHERE t0."id" IN (SELECT t1."project_id" FROM "project_meetings" AS t1 LEFT JOIN "meeting" AS t2 ON t2."id" = t1."meeting_id" WHERE t2."minutes" > ?) AND t0."id" IN (SELECT t3."project_id" FROM "project_tags" AS t3 WHERE t3."value" COLLATE BINARY = ?) AND (SELECT count(*) FROM "project_meetings" AS t4 WHERE t4."project_id" = t0."id") > ? ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE t0."id" IN (SELECT t1."project_id" FROM "project_meetings" AS t1 LEFT JOIN "meeting" AS t2 ON t2."id" = t1."meeting_id" WHERE t2."minutes" > $1) AND t0."id" IN (SELECT t3."project_id" FROM "project_tags" AS t3 WHERE t3."value" = $2) AND (SELECT count(*) FROM "project_meetings" AS t4 WHERE t4."project_id" = t0."id") > $3::bigint ORDER BY t0."id""#
            ))
        try check(
            Query(Person.self).where { $0.projects.contains { $0.budget > 3 } },
            (
                #"FROM "person" AS t0 WHERE t0."id" IN (SELECT t1."lead_id" FROM "project" AS t1 WHERE t1."budget" COLLATE holdfast_decimal > ?) ORDER BY t0."id""#,
                #"FROM "person" AS t0 WHERE t0."id" IN (SELECT t1."lead_id" FROM "project" AS t1 WHERE t1."budget" > $1) ORDER BY t0."id""#
            ))
    }

    @Test func `a list is one parameter, whatever its length`() throws {
        try check(
            all.where { $0.hours.in([1, 2, nil]) },
            (
                #"FROM "project" AS t0 WHERE (t0."hours" IN (SELECT c0 FROM holdfast_list(?) AS list) OR t0."hours" IS NULL) ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE (t0."hours" = ANY ($1::bigint[]) OR t0."hours" IS NULL) ORDER BY t0."id""#
            ))
    }

    @Test func `arithmetic and functions`() throws {
        try check(
            all.where { $0.size + 1 > 3 && $0.name.lowercased() + "x" == "y" },
            (
                #"FROM "project" AS t0 WHERE holdfast_add(t0."size", ?) > ? AND (lower(t0."name" COLLATE BINARY) || ?) COLLATE BINARY = ? ORDER BY t0."id""#,
                #"FROM "project" AS t0 WHERE ((t0."size")::bigint + ($1::bigint)::bigint) > $2::bigint AND (lower(t0."name" COLLATE "C") || $3::text) = $4::text ORDER BY t0."id""#
            ))
    }

    @Test func `orders say where nil comes only of what can be nil, and end with the key`() throws {
        try check(
            all.order { [$0.name.ascending.ignoringCase, $0.hours.descending, $0.lead.lastName.ascending] }.limit(20)
                .offset(40),
            (
                #"FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" ORDER BY lower(t0."name" COLLATE BINARY) COLLATE BINARY, t0."hours" DESC NULLS LAST, t1."last_name" COLLATE BINARY NULLS FIRST, t0."id" LIMIT 20 OFFSET 40"#,
                #"FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" ORDER BY lower(t0."name" COLLATE "C")::text COLLATE "C", t0."hours" DESC NULLS LAST, t1."last_name"::text COLLATE "C" NULLS FIRST, t0."id" LIMIT 20 OFFSET 40"#
            ))
        try check(
            all.offset(3).order { $0.id.descending },
            (
                #"FROM "project" AS t0 ORDER BY t0."id" DESC LIMIT -1 OFFSET 3"#,
                #"FROM "project" AS t0 ORDER BY t0."id" DESC OFFSET 3"#
            ))
    }

    @Test func `text means what the typed condition does`() throws {
        let (typed, text) = (
            all.where { $0.name == "x" && ($0.hours > 3 || $0.lead.age != 4) },
            all.where("name = \("x") AND (hours > 3 OR lead.age <> \(4))")
        )
        try check(typed, (text.afterFrom(.sqlite), text.afterFrom(.postgres)))
        #expect(try text.parameters(for: .postgres) == ["'x'", "3", "4"])
    }

    @Test func `some properties come with the key and the timestamps`() throws {
        #expect(
            try all.properties(\.name, \.lead, \.tags).sql(for: .sqlite)
                == #"SELECT t0."id", t0."name", t0."lead_id", t0."modified_at" FROM "project" AS t0 ORDER BY t0."id""#)
        #expect(
            try all.sparse().sql(for: .postgres)
                == #"SELECT t0."id", t0."name", t0."modified_at" FROM "project" AS t0 ORDER BY t0."id""#)
    }

    @Test func `a subclass can have an order of its own`() throws {
        let order = #"ORDER BY t0."title" DESC, t0."id""#
        #expect(try Query(Shelf.self).sql(for: .sqlite).hasSuffix(#"ORDER BY t0."id""#))
        #expect(
            try Query(SortedShelf.self).sql(for: .postgres).hasSuffix(
                #"ORDER BY t0."title"::text COLLATE "C" DESC, t0."id""#)
        )
        #expect(try Query(SortedShelf.self).sql(for: .sqlite).replacing(" COLLATE BINARY", with: "").hasSuffix(order))
        #expect(
            try Query(SortedShelf.self).order { $0.id.descending }.sql(for: .sqlite)
                .hasSuffix(#"ORDER BY t0."id" DESC"#))
    }

    @Test func `grouped values`() throws {
        let selection = all.where { $0.size > 1 }.group { $0.status }.having { $0.rowCount > 3 }
            .select { ($0.status, $0.rowCount, $0.budget.sum, $0.size.sum, $0.name.max) }
        #expect(
            try selection.sql(for: .sqlite)
                == #"SELECT t0."status", count(*), holdfast_decimal_sum(t0."budget"), holdfast_sum(t0."size"), max(t0."name" COLLATE BINARY) FROM "project" AS t0 WHERE t0."size" > ? GROUP BY t0."status" COLLATE BINARY HAVING count(*) > ? ORDER BY t0."status" COLLATE BINARY"#
        )
        #expect(
            try selection.sql(for: .postgres)
                == #"SELECT t0."status", count(*), sum(t0."budget"), sum(t0."size")::bigint, max(t0."name"::text COLLATE "C") FROM "project" AS t0 WHERE t0."size" > $1 GROUP BY t0."status" HAVING count(*) > $2::bigint ORDER BY t0."status"::text COLLATE "C""#
        )
    }
}

extension Query {
    /// The statement from its first FROM on.
    fileprivate func afterFrom(_ driver: DriverType) throws -> String {
        String(try sql(for: driver).dropPrefix(upTo: "FROM "))
    }
}

extension StringProtocol {
    /// The text from the first occurrence of another on.
    fileprivate func dropPrefix(upTo text: String) -> String {
        range(of: text).map { String(self[$0.lowerBound...]) } ?? String(self)
    }
}
