import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// The statements of aggregates and windows, in both dialects.
@Suite struct AggregateSQLTests {
    private let all = Query(Project.self)

    @Test func `aggregates of all rows are one row, without an order`() throws {
        let selection = all.order { $0.name.ascending }.select { ($0.rowCount, $0.hours.sum, $0.hours.max) }
        #expect(
            try selection.sql(for: .sqlite)
                == #"SELECT count(*), holdfast_sum(t0."hours"), max(t0."hours") FROM "project" AS t0"#)
        #expect(
            try selection.sql(for: .postgres)
                == #"SELECT count(*), sum(t0."hours")::bigint, max(t0."hours") FROM "project" AS t0"#)
        let own = all.select { QueryExpression<Int>.aggregate(sql: "max(\($0.hours))") }
        #expect(try own.sql(for: .postgres) == #"SELECT (max(t0."hours")) FROM "project" AS t0"#)
    }

    @Test func `a condition of an aggregate stands behind its call`() throws {
        let selection = all.select { ($0.hours.sum(where: $0.budget > 3), $0.rowCount(where: $0.hours == 1)) }
        #expect(
            try selection.sql(for: .sqlite)
                == #"SELECT holdfast_sum(t0."hours") FILTER (WHERE t0."budget" COLLATE holdfast_decimal > ?), count(*) FILTER (WHERE t0."hours" = ?) FROM "project" AS t0"#
        )
        #expect(
            try selection.sql(for: .postgres)
                == #"SELECT sum(t0."hours") FILTER (WHERE t0."budget" > $1)::bigint, count(*) FILTER (WHERE t0."hours" = $2) FROM "project" AS t0"#
        )
    }

    @Test func `a window ends its order with the key, and takes one row after another`() throws {
        let selection = all.select {
            (
                $0.hours.sum.over(partition: [$0.lead], order: [$0.budget.descending]),
                $0.rowRank(order: [$0.budget.descending])
            )
        }
        #expect(
            try selection.sql(for: .postgres)
                == #"SELECT sum(t0."hours") OVER (PARTITION BY t0."lead_id" ORDER BY t0."budget" DESC, t0."id" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)::bigint, rank() OVER (ORDER BY t0."budget" DESC) FROM "project" AS t0 ORDER BY t0."id""#
        )
    }

    @Test func `the first objects of each group are chosen by their keys`() throws {
        let latest = all.where { $0.hours > 3 }.first(2, ofEach: { $0.lead }, order: { [$0.budget.descending] })
        let sql = try latest.sql(for: .postgres)
        #expect(
            sql.hasSuffix(
                #"WHERE t0."id" IN (SELECT k0 FROM (SELECT t1."id" AS k0, row_number() OVER (PARTITION BY t1."lead_id" ORDER BY t1."budget" DESC, t1."id") AS rank FROM "project" AS t1 WHERE t1."hours" > $1) AS grouped WHERE rank <= 2) ORDER BY t0."id""#
            ), "\(sql)")
    }

    @Test func `an array's elements are aggregated in a query of their own`() throws {
        let rich = all.order { $0.meetings.sum { $0.minutes }.descending }
        let sql = try rich.sql(for: .postgres)
        #expect(sql.contains(#"ORDER BY (SELECT COALESCE(sum("#), "\(sql)")
        #expect(sql.hasSuffix(#"DESC, t0."id""#), "\(sql)")
    }
}
