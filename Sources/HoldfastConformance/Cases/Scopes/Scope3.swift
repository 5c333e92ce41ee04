import Foundation
import Holdfast

/// Scopes with a value that the program gives.
extension ConformanceCase {
    static let scope3: [ConformanceCase] = [
        ConformanceCase("scope-3.reads", "SCOPE-3", "Each tenant reads what is the tenant's") { environment in
            let (_, first, second) = try await openInvoices(environment)
            let all = first.query(TenantInvoice.self)
            try expect(try await first.fetch(TenantInvoice.self).map(\.total), equals: [1, 3, 5], "a fetch")
            try expect(try await second.fetch(TenantInvoice.self).map(\.total), equals: [2, 4], "another's")
            try expect(try await first.count(TenantInvoice.self), equals: 3, "a count of the type")
            try expect(try await all.where { $0.total > 2 }.fetch().map(\.total), equals: [3, 5], "a query")
            try expect(try await all.where { $0.tags.contains("t") }.sum { $0.total }, equals: 9, "a sum")
            try expect(try await all.where { $0.lines.count == 1 }.count(), equals: 3, "a condition on an array")
            try expect(try await all.page(size: 2).objects.map(\.total), equals: [1, 3], "a page")
            try expect(
                try await all.where { $0.total.in(first.query(TenantInvoice.self).select { $0.total }) }.count(),
                equals: 3, "a query inside")
            try expect(
                try await first.query(TenantLine.self).fetch().compactMap { $0.invoice?.total }, equals: [1, 3, 5],
                "references")
            let other = try expect(some: try await second.fetch(TenantInvoice.self).first?.id, "a key")
            try expect(try await first.find(TenantInvoice.self, key: other) == nil, "A find gives another's.")
            try expect(try await second.find(TenantInvoice.self, key: other)?.total, equals: 2, "a find")
            try await withThrowingTaskGroup { group in
                for number in 0..<32 {
                    group.addTask {
                        let db = number % 2 == 0 ? first : second
                        let found = try await db.find(TenantInvoice.self, key: other)?.total
                        try expect(found, equals: number % 2 == 0 ? nil : 2, "a find among others")
                    }
                }
                try await group.waitForAll()
            }
        },
        ConformanceCase("scope-3.refused", "SCOPE-3", "Nothing is read or written where a value is needed") {
            environment in
            let (db, first, _) = try await openInvoices(environment)
            try await expect(.invalidValue, from: "a fetch") { _ = try await db.fetch(TenantInvoice.self) }
            try await expect(.invalidValue, from: "a count") { _ = try await db.query(TenantInvoice.self).count() }
            try await expect(.invalidValue, from: "a query of what leads there") {
                _ = try await db.fetch(TenantLine.self)
            }
            try await expect(.invalidValue, from: "a save") { try await db.save(TenantInvoice(1, of: 1)) }
            try await expect(.invalidValue, from: "a deletion") { try await db.deleteAll(TenantInvoice.self) }
            try await expect(.conflict, from: "a value of another type") {
                _ = try await db.scoped(["tenant": "one"]).fetch(TenantInvoice.self)
            }
            try await expect(.invalidValue, from: "a value that none can be") { _ = try db.scoped(["tenant": 1.5]) }
            let desk = try db.ignoringScopes("tenant")
            try expect(try await desk.fetch(TenantInvoice.self).count, equals: 5, "all tenants'")
            try expect(
                try await first.query(TenantInvoice.self).ignoringScope("tenant").count(), equals: 5,
                "all, by a query of one")
            try expect(try await desk.scoped(["tenant": 2]).count(TenantInvoice.self), equals: 2, "one again")
        },
        ConformanceCase("scope-3.writes", "SCOPE-3", "Nothing is written across tenants") { environment in
            let (db, first, second) = try await openInvoices(environment)
            let other = try expect(some: try await second.fetch(TenantInvoice.self).first, "an invoice")
            other.total = 20
            try await expect(.notFound, .staleVersion, from: "a save of another's") { try await first.save(other) }
            try expect(try await first.delete(other), equals: 0, "a deletion of another's")
            try expect(try await first.query(TenantInvoice.self).update { $0.total += 10 }, equals: 3, "an update")
            try expect(try await second.fetch(TenantInvoice.self).map(\.total), equals: [2, 4], "what is untouched")
            try await second.save(other)
            try expect(
                try await second.query(TenantInvoice.self).where { $0.total > 3 }.delete(), equals: 2, "by a query")
            try await expect(.unsupported, from: "a deletion of all tenants' by a query of one") {
                _ = try await first.query(TenantInvoice.self).ignoringScope("tenant").delete()
            }
            try await first.transaction { transaction in
                let own = try await transaction.query(TenantInvoice.self).order(\.total).fetch()
                try expect(own.map(\.total), equals: [11, 13, 15], "in a transaction")
                own[0].lines.append(TenantLine("new"))
                try await transaction.save(own[0])
                try await transaction.delete(own[1])
            }
            try expect(try await first.deleteAll(TenantInvoice.self), equals: 2, "a deletion of all")
            try expect(try await db.number("SELECT count(*) FROM tenant_line"), equals: 0, "what was owned")
            try await first.save(TenantInvoice(7, of: 2))
            try expect(try await second.fetch(TenantInvoice.self).map(\.total), equals: [7], "one for another")
        },
        ConformanceCase("scope-3.upserts", "SCOPE-3", "An upsert writes no row of another tenant") { environment in
            let db = try await environment.open(TenantBadge.self)
            let (first, second) = (try db.scoped(["tenant": 1]), try db.scoped(["tenant": 2]))
            _ = try await first.insert([TenantBadge(code: "a", tenantID: 1), TenantBadge(code: "b", tenantID: 1)])
            _ = try await first.upsert(TenantBadge(code: "a", tenantID: 1, rank: 1))
            try await first.upsertWithoutReturning([TenantBadge(code: "b", tenantID: 1, rank: 2)])
            _ = try await first.save(TenantBadge(code: "b", tenantID: 1, rank: 3))
            let taken = TenantBadge(code: "a", tenantID: 2, rank: 9)
            try await expect(.uniqueViolation, from: "an upsert") { _ = try await second.upsert(taken) }
            try await expect(.uniqueViolation, from: "a silent one") {
                try await second.upsertWithoutReturning([TenantBadge(code: "c", tenantID: 2), taken])
            }
            try await expect(.uniqueViolation, from: "a save") { _ = try await second.save(taken) }
            try expect(try await second.insertOrIgnore(taken), equals: nil, "an insertion")
            try expect(try await second.count(TenantBadge.self), equals: 0, "what the other has")
            try expect(try await second.delete(taken), equals: 0, "a mark by another")
            try expect(try await second.delete(taken, permanently: true), equals: 0, "a deletion by another")
            try expect(try await first.fetch(TenantBadge.self).map(\.rank), equals: [1, 3], "what is there")
            try expect(try await first.delete(taken), equals: 1, "a mark")
            try expect(try await second.restore(taken), equals: 0, "a restoration by another")
            try expect(try await first.restore(taken), equals: 1, "a restoration")
            try expect(try await first.deleteAll(TenantBadge.self, permanently: true), equals: 2, "a deletion for good")
        },
        ConformanceCase("scope-3.references", "SCOPE-3", "A scope is by a reference to what has a key of its own") {
            environment in
            let db = try await environment.open(TenantChamber.self)
            let (first, second) = (try db.scoped(["house": "a"]), try db.scoped(["house": "b"]))
            let (a, b) = (TenantHouse("a"), TenantHouse("b"))
            try await first.save([
                TenantChamber("1", in: a), TenantChamber("2", in: b), TenantChamber("3", in: a),
            ])
            let rooms = first.query(TenantChamber.self).order(\.name)
            try expect(try await rooms.fetch().map(\.name), equals: ["1", "3"], "a query")
            try expect(try await rooms.fetch().map(\.house.code), equals: ["a", "a"], "their houses")
            try expect(try await rooms.where { $0.house.code == "b" }.count(), equals: 0, "those of another")
            try expect(try await second.fetch(TenantChamber.self).map(\.name), equals: ["2"], "another's")
            var streamed: [String] = []
            for try await room in rooms.stream() { streamed.append(room.name) }
            try expect(streamed, equals: ["1", "3"], "a stream")
            try await expect(.conflict, from: "a key of another type") {
                _ = try await db.scoped(["house": 1]).fetch(TenantChamber.self)
            }
        },
        ConformanceCase("scope-3.observed", "SCOPE-3", "An observed query sees what is the tenant's") { environment in
            let (_, first, second) = try await openInvoices(environment)
            var steps = 0
            for try await totals in first.query(TenantInvoice.self).observe(
                delay: .zero, { try await $0.fetch().map(\.total) })
            {
                if steps == 0 {
                    try expect(totals, equals: [1, 3, 5], "at first")
                    try await second.save(TenantInvoice(6, of: 2))
                    try await first.save(TenantInvoice(7, of: 1))
                } else {
                    try expect(totals, equals: [1, 3, 5, 7], "with another one")
                    break
                }
                steps += 1
            }
            try expect(steps, equals: 1, "the results")
        },
        ConformanceCase("scope-3.clock", "SCOPE-3", "A value of a scope goes along with the time of a clock") {
            environment in
            let clock = SetClock()
            let db = try await environment.open(TenantBadge.self, Season.self) { clock.attach(to: &$0) }
            let first = try db.scoped(["tenant": 1]).scoped(["season": "x"])
            _ = try await first.insert([
                TenantBadge(code: "a", tenantID: 1), TenantBadge(code: "b", tenantID: 2),
                TenantBadge(code: "c", tenantID: 1, rank: 2),
            ])
            _ = try await first.insert([
                Season(code: "a", begins: clock.now, rank: 2),
                Season(code: "b", begins: clock.now.addingTimeInterval(10), rank: 2),
            ])
            try expect(
                try await first.query(TenantBadge.self)
                    .where { $0.rank.in(first.query(Season.self).where { $0.rank > 1 }.select { $0.rank }) }
                    .fetch().map(\.code), equals: ["c"], "a query inside")
            try expect(
                try await first.query(Season.self)
                    .where { $0.rank.in(first.query(TenantBadge.self).where { $0.rank > 1 }.select { $0.rank }) }
                    .fetch().map(\.code), equals: ["a"], "the same the other way round")
            try expect(
                try await first.query(TenantBadge.self).joined(to: Season.self) { $0.rank == $1.rank }.fetch().count,
                equals: 1, "pairs")
            try expect(
                try await first.query(TenantBadge.self).where { $0.rank > 1 }.update { $0.rank += 1 }, equals: 1,
                "an update")
        },
    ]

    /// Opens a database with invoices of two tenants.
    private static func openInvoices(
        _ environment: ConformanceEnvironment
    ) async throws -> (Database, first: Database, second: Database) {
        let db = try await environment.open(TenantInvoice.self, TenantLine.self)
        let (first, second) = (try db.scoped(["tenant": 1]), try db.scoped(["tenant": 2]))
        let invoices = (1...5).map { TenantInvoice($0, of: $0 % 2 == 1 ? 1 : 2, tags: ["t"]) }
        for invoice in invoices { invoice.lines = [TenantLine("of \(invoice.total)")] }
        try await first.save(invoices)
        return (db, first, second)
    }
}
