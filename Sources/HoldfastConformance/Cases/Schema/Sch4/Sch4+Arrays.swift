import Holdfast

extension ConformanceCase {
    static let sch4Arrays: [ConformanceCase] = [
        ConformanceCase(
            "sch-4.wraps", "SCH-4",
            "A value becomes an array of one element if that is allowed, and is never passed over",
            level: .graph
        ) { environment in
            let db = try await environment.open(Wrapped.Values.self)
            let values = [
                Wrapped.Values(group: "a", number: 1, label: "x", rank: 7),
                Wrapped.Values(group: "a", number: 2, label: nil, rank: -1),
                Wrapped.Values(group: "b", number: 1, label: "", rank: 0),
            ]
            _ = try await db.insert(values)
            let refused = try await expect(.conflict, from: "an array that nobody allowed") {
                try await db.migrate(Wrapped.Arrays.self)
            }
            try expect(refused.properties, equals: ["label"], "the property that the error names")
            try expect(refused.message.contains(".wrapping("), "The error does not say how to allow it: \(refused)")

            let elsewhere = try await expect(.conflict, from: "an array that no model has") {
                try await db.migrate(
                    Schema(
                        Wrapped.Arrays.self,
                        allowing: [.wrapping(column: "label", of: "labelled", into: "labels")]))
            }
            try expect(elsewhere.table, equals: "labelled", "the table that the error names")
            let schema = Schema(Wrapped.Arrays.self, allowing: Wrapped.wrapping)
            let plan = try await db.schemaPlan(for: schema)
            try expect(plan.steps.contains { $0.losesData || $0.mayFail }, equals: false, "whether values can be lost")
            try expect(plan.isSafeWhileRunning, equals: false, "whether the previous version can go on")
            try await db.migrate(schema)
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            try expect(try await db.migrate(Wrapped.Arrays.self).steps, equals: [], "the steps without the allowance")
            let arrays = [
                Wrapped.Arrays(group: "a", number: 1, label: ["x"], ranks: [7]),
                Wrapped.Arrays(group: "a", number: 2, label: [], ranks: [-1]),
                Wrapped.Arrays(group: "b", number: 1, label: [""], ranks: [0]),
            ]
            try expect(try await db.fetch(Wrapped.Arrays.self), equals: arrays, "the arrays")
            try expect(try await db.drift(Wrapped.Arrays.self), equals: [], "the drift")
            var first = arrays[0]
            first.label.append("y")
            first.ranks = nil
            _ = try await db.save(first)
            try expect(try await db.fetch(Wrapped.Arrays.self).first, equals: first, "the arrays that were changed")
        },
        ConformanceCase(
            "sch-4.unwraps", "SCH-4",
            "An array becomes a value if that is allowed; more than one element are in the way, or lost as allowed",
            level: .graph
        ) { environment in
            let db = try await environment.open(Wrapped.Arrays.self)
            let arrays = [
                Wrapped.Arrays(group: "a", number: 1, label: ["x", "y"], ranks: [7]),
                Wrapped.Arrays(group: "a", number: 2, label: [], ranks: nil),
                Wrapped.Arrays(group: "b", number: 1, label: ["z"], ranks: []),
            ]
            _ = try await db.insert(arrays)
            try await expect(.conflict, from: "a value that nobody allowed") {
                try await db.migrate(Wrapped.WideValues.self)
            }
            let schema = Schema(Wrapped.WideValues.self, allowing: Wrapped.unwrapping())
            let plan = try await db.schemaPlan(for: schema)
            try expect(plan.steps.contains(where: \.losesData), equals: false, "whether values can be lost")
            try expect(plan.steps.contains(where: \.mayFail), "No step is said to be able to fail.")
            let refused = try await expect(.conflict, from: "an array of two elements") { try await db.migrate(schema) }
            try expect(refused.properties, equals: ["label"], "the property that the error names")
            try expect(try await db.fetch(Wrapped.Arrays.self), equals: arrays, "the arrays")

            let losing = Schema(Wrapped.WideValues.self, allowing: Wrapped.unwrapping(keepsFirst: true))
            try expect(
                try await db.schemaPlan(for: losing).steps.contains(where: \.losesData), "No step is said to lose data."
            )
            try await db.migrate(losing)
            try expect(try await db.migrate(losing).steps, equals: [], "the steps of a second time")
            try expect(try await db.migrate(Wrapped.WideValues.self).steps, equals: [], "the steps without allowance")
            let values = [
                Wrapped.WideValues(group: "a", number: 1, label: "x", rank: 7),
                Wrapped.WideValues(group: "a", number: 2, label: nil, rank: 5),
                Wrapped.WideValues(group: "b", number: 1, label: "z", rank: 5),
            ]
            try expect(try await db.fetch(Wrapped.WideValues.self), equals: values, "the values")
            try expect(try await db.drift(Wrapped.WideValues.self), equals: [], "the drift")
        },
        ConformanceCase(
            "sch-4.wraps-back", "SCH-4",
            "A value that becomes an array and a value again is what it was, also with late steps",
            level: .graph
        ) { environment in
            let db = try await environment.open(Wrapped.WideValues.self)
            let values = (0..<3).map { number in
                Wrapped.WideValues(
                    group: "g", number: Int32(number), label: number == 1 ? nil : "l\(number)", rank: number)
            }
            _ = try await db.insert(values)
            try await db.migrate(Schema(Wrapped.Arrays.self, allowing: Wrapped.wrapping))
            try expect(try await db.fetch(Wrapped.Arrays.self).map(\.ranks), equals: [[0], [1], [2]], "the arrays")
            let back = Schema(
                Wrapped.WideValues.self,
                migrations: [
                    Migration("late", .afterTypes) { $0.sql("UPDATE labelled SET label = 'late' WHERE number = 2") }
                ],
                allowing: Wrapped.unwrapping())
            try await db.migrate(back)
            try expect(try await db.migrate(back).steps, equals: [], "the steps of a second time")
            var expected = values
            expected[2].label = "late"
            try expect(try await db.fetch(Wrapped.WideValues.self), equals: expected, "the values")
        },
    ]
}
