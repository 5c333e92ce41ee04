import HoldfastConformance
import Testing

@_spi(Driver) @testable import Holdfast
@testable import HoldfastConformance

/// Statements of sets of changed properties are kept within bounds.
@Suite struct KeptStatementTests {
    @Test func `20,000 sets of changed properties leave few statements`() async throws {
        let home = try await SchemaEngine.sqlite.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        let plan = try db._access.core.plan(for: Wide.self)
        let numbers = Array(plan.description.nonKeyMask.indices.prefix(15))
        let frequent = try plan.statements.rendered(.update(PropertyMask([numbers[3]])))
        for set in 1...20_000 {
            // What is used again and again is rendered once.
            #expect(try plan.statements.rendered(.update(PropertyMask([numbers[3]]))) === frequent)
            var mask = PropertyMask()
            for (bit, number) in numbers.enumerated() where set & 1 << bit != 0 { mask.insert(number) }
            let statement = try plan.statements.rendered(.update(mask))
            #expect(statement.sql.contains("UPDATE"))
            #expect(plan.statements.variantCount <= TableStatements.variantCapacity)
        }
        try await db.close()
        try await home.destroy()
    }

    @Test(arguments: SchemaEngine.available) func `saves go on where statements were let go`(
        engine: SchemaEngine
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        try await db.migrate(Wide.self)
        let wide = Wide()
        try await db.save(wide)
        for set in 1..<1_024 {
            let value = 100_000 + set
            if set & 1 != 0 { wide.p1 = value }
            if set & 2 != 0 { wide.p2 = value }
            if set & 4 != 0 { wide.p3 = value }
            if set & 8 != 0 { wide.p4 = value }
            if set & 16 != 0 { wide.p5 = value }
            if set & 32 != 0 { wide.p6 = value }
            if set & 64 != 0 { wide.p7 = value }
            if set & 128 != 0 { wide.p8 = value }
            if set & 256 != 0 { wide.p9 = value }
            if set & 512 != 0 { wide.p10 = value }
            try await db.save(wide)
        }
        let plan = try db._access.core.plan(for: Wide.self)
        #expect(plan.statements.variantCount <= TableStatements.variantCapacity)
        let same = try #require(try await db.fetch(Wide.self).first)
        #expect(same.p1 == 101_023 && same.p10 == 101_023 && same.p5 == 101_023)
        try await db.close()
        try await home.destroy()
    }
}
