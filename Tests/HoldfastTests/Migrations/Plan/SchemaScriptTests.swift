import Foundation
import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct SchemaScriptTests {
    private func step(
        _ sql: String, _ part: SchemaStep.Part = .transaction, on table: String = "t",
        unknown: SchemaStep.Unknown? = nil, losesData: Bool = false
    ) -> SchemaStep {
        var step = SchemaStep(
            SchemaStatement(.dropTable(table)), sql, TestDialect(), losesData: losesData)
        (step.part, step.unknown) = (part, unknown)
        return step
    }

    private var parts: [SchemaStep] {
        [step("A"), step("B"), step("C", .rebuild), step("D", .rebuild), step("E", .afterwards)]
    }

    private func begun(_ steps: [SchemaStep]) -> ScriptWatch { ScriptWatch(SchemaPlan(steps: steps).script) }

    @Test func `a script that was kept is the same`() throws {
        var plan = SchemaPlan(steps: parts + [step("F", unknown: .closure, losesData: true)])
        (plan.unplanned, plan.migrations) = (["Something."], ["m": "1"])
        let kept = try JSONEncoder().encode(plan.script)
        #expect(try JSONDecoder().decode(SchemaScript.self, from: kept) == plan.script)
    }

    @Test func `nothing in a name ends a comment, and no comment takes a semicolon along`() {
        let plan = SchemaPlan(steps: [step("SELECT 1 -- one", on: "a\nDROP TABLE b"), step("SELECT 2")])
        let lines = plan.script.description.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("DROP") })
        #expect(lines.contains(";"))
        #expect(lines.contains("SELECT 2;"))
    }

    @Test func `parts of a script that were committed are passed over, and only at their ends`() throws {
        for count in [0, 2, 4, 5] {
            var watch = begun(parts)
            try watch.begin(SchemaPlan(steps: Array(parts.dropFirst(count))))
            for step in parts.dropFirst(count) { try watch.admit(step) }
            try watch.require([])
        }
        for count in [1, 3] {
            #expect(throws: DatabaseError.self) {
                var watch = begun(parts)
                try watch.begin(SchemaPlan(steps: Array(parts.dropFirst(count))))
            }
        }
    }

    @Test func `a difference is told, and bounded`() throws {
        let others = (0..<9).map { step("OTHER \($0)") }
        let error = try #require(
            throws: DatabaseError.self,
            performing: {
                var watch = begun(parts)
                try watch.begin(SchemaPlan(steps: parts + others))
            })
        #expect(error.code == .conflict)
        #expect(error.message.contains("Not in the script: OTHER 0; OTHER 1; OTHER 2; OTHER 3; OTHER 4; and 4 more."))
        #expect(!error.message.contains("Only in the script"))
        var watch = begun(parts)
        try watch.begin(SchemaPlan(steps: parts))
        #expect(throws: DatabaseError.self) { try watch.admit(step("B")) }
        #expect(throws: DatabaseError.self) { try watch.require(parts.dropLast()) }
    }

    @Test func `another loss, and another migration of the name, are differences`() {
        var plan = SchemaPlan(steps: [step("A")])
        plan.migrations = ["m": "1"]
        #expect(throws: DatabaseError.self) {
            var watch = ScriptWatch(plan.script)
            try watch.begin(SchemaPlan(steps: [step("A", losesData: true)]))
        }
        var other = plan
        other.migrations = ["m": "2"]
        #expect(throws: DatabaseError.self) {
            var watch = ScriptWatch(plan.script)
            try watch.begin(other)
        }
    }
}
