import HoldfastConformance
import Testing

@_spi(Driver) @testable import Holdfast
@testable import HoldfastConformance

/// What is kept in memory does not grow with the number of things that were done.
@Suite struct KeptInMemoryTests {
    private func withDatabase(
        of engine: SchemaEngine, configure: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (Database) async throws -> Void
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration.with(configure))
        do {
            try await body(db)
        } catch {
            try await db.close()
            try await home.destroy()
            throw error
        }
        try await db.close()
        try await home.destroy()
    }

    @Test(arguments: SchemaEngine.available) func `a transaction registers nothing for structs that it saves`(
        engine: SchemaEngine
    ) async throws {
        try await withDatabase(of: engine) { db async throws in
            try await db.migrate(Named.self, Coupon.self, Device.self, SeatingValue.self)
            let device = Device("s", name: "n")
            try await db.save(device)
            try await db.transaction { tx in
                for number in 0..<20 {
                    var coupon = try await tx.insert(Coupon(code: "\(number)", percent: 1))
                    coupon.uses += 1
                    try await tx.save(&coupon)
                    _ = try await tx.insert(Named(name: "\(number)"))
                }
                _ = try await tx.save((0..<100).map { Coupon(code: "many \($0)", percent: 1) })
                _ = try await tx.save(SeatingValue(device: device, row: 1, guest: "g"))
                try await tx.upsertWithoutReturning([Named(name: "1", number: 2)])
                try await tx.delete(Named(name: "2"))
                #expect(tx.scope.undoCount == 0)
                // Of an object, there is something to undo.
                try await tx.save(Device("t", name: "n"))
                #expect(tx.scope.undoCount == 1)
            }
        }
    }

    @Test func `8,000 observers end in no time, and what they compare is forgotten with the last`() async throws {
        try await withDatabase(of: .sqlite) { db async throws in
            let core = db._access.core
            func observe(_ count: Int, _ query: Query<Note>) -> [Observation] {
                (0..<count).map { _ in core.observations.observe(["note"], rows: query.observedRows()) }
            }
            _ = try core.plan(for: Note.self)
            var ranks = observe(8_000, db.query(Note.self).where { $0.rank == 1 })
            var titled = observe(2, db.query(Note.self).where { $0.rank == 1 && $0.id == 2 })
            #expect(core.observations.comparedProperties(of: "note") == ["rank", "id"])
            titled.removeLast()
            #expect(core.observations.comparedProperties(of: "note") == ["rank", "id"])
            titled.removeLast()
            #expect(core.observations.comparedProperties(of: "note") == ["rank"])
            let listeners = (0..<2_000).map { _ in db.events(of: Note.self, includingFetches: true) }
            #expect(core.observations.hasFetchListeners)
            let start = ContinuousClock.now
            ranks.removeAll()
            #expect(ContinuousClock.now - start < .seconds(1))
            #expect(core.observations.comparedProperties(of: "note").isEmpty)
            withExtendedLifetime(listeners) {}
        }
    }
}
