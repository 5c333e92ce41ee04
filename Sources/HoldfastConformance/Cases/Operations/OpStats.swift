import Foundation
import Holdfast

/// Statistics of statements.
extension ConformanceCase {
    static let opStats: [ConformanceCase] = [
        ConformanceCase(
            "op-stats.shapes", "OP-STATS",
            "Statements are counted by their text, with their times, rows, failures and call sites"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.telemetry.statementStatisticsLimit = 100 }
            db.resetStatementStatistics()
            let note = Note("a", code: "c")
            try await db.save(note)
            for _ in 0..<20 { _ = try await db.find(Note.self, key: note.id ?? 0) }
            _ = try await db.find(Note.self, key: -1)
            try await expect(.uniqueViolation, from: "a second one") { try await db.save(Note("b", code: "c")) }
            try await db.transaction { tx in _ = try await tx.find(Note.self, key: note.id ?? 0) }
            let statistics = db.statementStatistics
            let finds = try expect(
                some: statistics.shapes.first { $0.operation == "SELECT" && $0.table == "note" }, "the shape of finds")
            try expect(finds.count, equals: 22, "the number of finds")
            try expect(finds.rowCount, equals: 21, "the number of notes found")
            try expect(finds.failureCount, equals: 0, "the number of finds that failed")
            try expect(finds.callers.map(\.count), equals: [20, 1, 1], "the finds from each place")
            try expect(
                finds.callers.allSatisfy { $0.callSite.hasPrefix("HoldfastConformance/OpStats.swift:") },
                "The callers are \(finds.callers).")
            try expect(
                .zero < finds.p99 && finds.p99 <= finds.maximum && finds.maximum <= finds.total,
                "The times of finds are \(finds).")
            let inserts = statistics.shapes.filter { $0.operation == "INSERT" && $0.table == "note" }
            try expect(inserts.map(\.count).reduce(0, +), equals: 2, "the number of inserts")
            try expect(inserts.map(\.failureCount).reduce(0, +), equals: 1, "the number of inserts that failed")
            let totals = statistics.shapes.map(\.total)
            try expect(totals == totals.sorted(by: >), "The shapes are not in order: \(totals)")
            let text = "\(statistics)"
            try expect(
                text.contains(finds.sql) || finds.sql.count > 120,
                "The table does not have the statement: \(text)")
            db.resetStatementStatistics()
            try expect(db.statementStatistics.shapes.count, equals: 0, "the number of shapes after a reset")
        },
        ConformanceCase(
            "op-stats.bounds", "OP-STATS", "The slowest shapes are kept, and no literal of raw SQL"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.telemetry.statementStatisticsLimit = 3 }
            // The first query may find out something about the table.
            _ = try await db.query(Note.self).fetch()
            db.resetStatementStatistics()
            for number in 0..<20 {
                _ = try await db.query(Note.self).where { $0.rank > 0 }.limit(number + 1).offset(number).fetch()
                _ = try await db.query(Note.self).order { $0.title.ascending }.select { $0.title }.fetch()
                let columns = (0...number).map { _ in "title" }.joined(separator: ", ")
                _ = try await db.sql(SQLFragment(unsafe: "SELECT \(columns) FROM note WHERE title = 'canary'"))
                    .fetch()
            }
            let statistics = db.statementStatistics
            try expect(statistics.shapes.count <= 3, "There are \(statistics.shapes.count) shapes.")
            let count = statistics.shapes.map(\.count).reduce(statistics.otherCount, +)
            try expect(count, equals: 60, "the number of statements")
            try expect(!"\(statistics)".contains("canary"), "There is a value in \(statistics).")
            let plain = try await environment.open()
            _ = try await plain.count(Note.self)
            try expect(plain.statementStatistics.shapes.count, equals: 0, "the number of shapes where none are kept")
        },
    ]
}
