import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Measures the questions of a dashboard next to the SQL that one would write by hand, taking turns in one process.
///
/// Both are sent over connections of Holdfast's, and both are read as tuples: the ratio is that of the statements.
struct DashboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dashboard", abstract: "Measures aggregates over many rows.")

    @OptionGroup var location: DatabaseLocation
    @Option(help: "How many sales there are.") var count = 1_000_000
    @Option(help: "How many rounds there are.") var rounds = 5

    @Table("bench_sale", indexes: [.index("customer", "at")])
    struct Sale {
        var id: Int64?
        var customer: Int64
        var category: Int64
        var amount: Int64
        var isPaid: Bool
        var at: Date
        var closedAt: Date?
    }

    @Table("bench_buyer")
    struct Buyer {
        var id: Int64
        var name: String
    }

    private struct Question {
        let name: String
        let asked: (Database) async throws -> [String]
        let written: (Database) async throws -> [String]
    }

    func run() async throws {
        guard let berlin = TimeZone(identifier: "Europe/Berlin") else { throw BenchError("No time zone.") }
        let db = try await Database.open(location.configuration(connections: 1))
        try await db.migrate(Sale.self, Buyer.self)
        try await fill(db)
        print("| Question | by hand, ms | Holdfast, ms | ratio |\n|---|---|---|---|")
        for question in questions(berlin) {
            var (times, ratios): ([(Double, Double)], [Double]) = ([], [])
            for round in 0...rounds {
                var (hand, own, texts) = (0.0, 0.0, ([String](), [String]()))
                func byHand() async throws { (hand, texts.0) = try await timed { try await question.written(db) } }
                func asked() async throws { (own, texts.1) = try await timed { try await question.asked(db) } }
                if round % 2 == 0 {
                    try await byHand()
                    try await asked()
                } else {
                    try await asked()
                    try await byHand()
                }
                guard texts.0 == texts.1 else { throw BenchError("Not the same: \(question.name), \(texts)") }
                if round > 0 {
                    times.append((hand, own))
                    ratios.append(own / hand)
                }
            }
            let cells = [median(times.map(\.0)), median(times.map(\.1)), median(ratios)].map {
                $0.formatted(.number.precision(.fractionLength(2)).grouping(.never))
            }
            print("| \(question.name) | \(cells.joined(separator: " | ")) |")
        }
        try await db.close()
    }

    private func timed(_ body: () async throws -> [String]) async throws -> (Double, [String]) {
        let start = ContinuousClock.now
        let texts = try await body()
        return ((ContinuousClock.now - start) / .milliseconds(1), texts)
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Two years of sales of 20,000 buyers in 40 categories.
    private func fill(_ db: Database) async throws {
        var random = SystemRandomNumberGenerator()
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        try await db.transaction { tx in
            _ = try await tx.save((1...20_000).map { Buyer(id: $0, name: "buyer \($0)") })
            for first in stride(from: 0, to: count, by: 50_000) {
                let sales = (first..<min(first + 50_000, count)).map { _ in
                    let at = start.addingTimeInterval(Double(Int.random(in: 0..<63_000_000, using: &random)))
                    let isClosed = Int.random(in: 0..<4, using: &random) > 0
                    return Sale(
                        customer: .random(in: 1...19_900, using: &random),
                        category: .random(in: 1...40, using: &random),
                        amount: .random(in: 100...50_000, using: &random), isPaid: Bool.random(using: &random), at: at,
                        closedAt: isClosed ? at.addingTimeInterval(Double(Int.random(in: 60..<900_000))) : nil)
                }
                _ = try await tx.insert(sales)
            }
        }
        try await db.analyze()
    }

    private func questions(_ berlin: TimeZone) -> [Question] {
        let isServer = location.engine == .postgres
        let month =
            isServer
            ? "date_trunc('month', at AT TIME ZONE 'Europe/Berlin') AT TIME ZONE 'Europe/Berlin'"
            : "strftime('%Y-%m', at / 1000000, 'unixepoch')"
        let difference =
            isServer
            ? "avg(extract(epoch FROM closed_at - at))::float8" : "avg(closed_at - at) / 1e6"
        let day = Date(timeIntervalSince1970: 1_755_000_000)
        let isPaid = isServer ? "is_paid" : "is_paid = 1"
        return [
            Question(
                name: "sums by category, of all and of the paid",
                asked: { db in
                    try await db.query(Sale.self).order { [$0.category.ascending] }.group { $0.category }
                        .select { ($0.category, $0.rowCount, $0.amount.sum, $0.amount.sum(where: $0.isPaid == true)) }
                        .fetch().map { "\($0.0) \($0.1) \($0.2 ?? 0) \($0.3 ?? 0)" }
                },
                written: { db in
                    try await db.sql(
                        """
                        SELECT category, count(*), CAST(sum(amount) AS bigint), \
                        CAST(sum(amount) FILTER (WHERE \(unsafe: isPaid)) AS bigint) \
                        FROM \(Sale.self) GROUP BY category ORDER BY category
                        """
                    ).fetch(as: (Int64, Int, Int64, Int64).self).map { "\($0.0) \($0.1) \($0.2) \($0.3)" }
                }),
            Question(
                name: "sales and sums by month, in Berlin (by hand on SQLite: in UTC)",
                asked: { db in
                    try await db.query(Sale.self)
                        .group { $0.at.start(of: .month, in: berlin) }
                        .select { ($0.at.start(of: .month, in: berlin), $0.rowCount, $0.amount.sum) }
                        .fetch().map { isServer ? "\($0.0) \($0.1) \($0.2 ?? 0)" : "month" }
                },
                written: { db in
                    let sql: SQLFragment = """
                        SELECT \(unsafe: month), count(*), CAST(sum(amount) AS bigint) \
                        FROM \(Sale.self) GROUP BY 1 ORDER BY 1
                        """
                    if !isServer {
                        return try await db.sql(sql).fetch(as: (String, Int, Int64).self).map { _ in "month" }
                    }
                    return try await db.sql(sql).fetch(as: (Date, Int, Int64).self).map { "\($0.0) \($0.1) \($0.2)" }
                }),
            Question(
                name: "average seconds until a sale is closed, by category",
                asked: { db in
                    try await db.query(Sale.self).group { $0.category }
                        .select { ($0.category, $0.at.seconds(until: $0.closedAt).average) }
                        .fetch().map { "\($0.0) \(Int(($0.1 ?? 0).rounded()))" }
                },
                written: { db in
                    try await db.sql(
                        "SELECT category, \(unsafe: difference) FROM \(Sale.self) GROUP BY category ORDER BY category"
                    ).fetch(as: (Int64, Double?).self).map { "\($0.0) \(Int(($0.1 ?? 0).rounded()))" }
                }),
            Question(
                name: "the 3 greatest sales of each category, as objects",
                asked: { db in
                    try await db.query(Sale.self)
                        .first(3, ofEach: { $0.category }, order: { [$0.amount.descending] })
                        .fetch().map { "\($0.id ?? 0)" }.sorted()
                },
                written: { db in
                    try await db.sql(
                        """
                        SELECT s.* FROM \(Sale.self) AS s JOIN (SELECT id, row_number() OVER \
                        (PARTITION BY category ORDER BY amount DESC, id) AS n FROM \(Sale.self)) AS r \
                        ON r.id = s.id AND r.n <= 3
                        """
                    ).fetch(Sale.self).map { "\($0.id ?? 0)" }.sorted()
                }),
            Question(
                name: "buyers without a sale since a day",
                asked: { db in
                    try await db.query(Buyer.self)
                        .where { buyer in
                            !.exists(Sale.self) { $0.customer == buyer.id && $0.at > day }
                        }
                        .select(\.id).fetch().map { "\($0)" }
                },
                written: { db in
                    try await db.sql(
                        """
                        SELECT b.id FROM \(Buyer.self) AS b WHERE NOT EXISTS (SELECT 1 FROM \(Sale.self) AS s \
                        WHERE s.customer = b.id AND s.at > \(day)) ORDER BY b.id
                        """
                    ).fetch(as: Int64.self).map { "\($0)" }
                }),
        ]
    }
}
