import Foundation
import Holdfast

extension ConformanceCase {
    static let sch8: [ConformanceCase] = [
        ConformanceCase(
            "sch-8.effects", "SCH-8",
            "Each step of a plan tells its locks on tables that exist, and the report shows them"
        ) { environment in
            let db = try await environment.open()
            let first = try await db.schemaPlan(for: Migrated.First.self, Tagged.self)
            try expect(
                first.steps.contains { $0.locks.contains { $0.table != nil } }, equals: false,
                "whether a new table is locked for others")
            try expect(
                first.steps.contains { $0.scansTable || $0.rewritesTable }, equals: false, "whether a new table is read"
            )
            try await db.migrate(Migrated.First.self)
            _ = try await db.insert([Migrated.First(id: 1, title: "a"), Migrated.First(id: 2, title: "b")])

            let plan = try await db.schemaPlan(for: Migrated.Second.self)
            for step in plan.steps {
                switch step.action {
                case .addColumn(_, let table), .createIndex(_, let table):
                    let isLocked = step.locks.contains { $0.table == table || $0.table == nil }
                    try expect(isLocked, "No lock is told of: \(step.sql)")
                default: break
                }
                try expect(plan.report.contains(step.sql + ";"), "The report has no \(step.sql)")
            }
            let indexes = plan.steps.filter { if case .createIndex = $0.action { true } else { false } }
            try expect(indexes.isEmpty, equals: false, "whether there are no indexes")
            try expect(indexes.allSatisfy(\.scansTable), "An index is built without reading the rows: \(plan.report)")
            try expect(plan.steps.allSatisfy(\.isTransactional), "A step is outside of the transaction: \(plan.report)")
            try expect(
                plan.description, equals: plan.steps.map { $0.sql + ";" }.joined(separator: "\n"), "the plan as SQL")
        },
        ConformanceCase(
            "sch-8.safe", "SCH-8",
            "New tables, optional columns, defaults and indexes are safe for the previous version, which goes on"
        ) { environment in
            let old = try await environment.open(Migrated.First.self)
            _ = try await old.insert(Migrated.First(id: 1, title: "a"))
            let db = try await environment.open()
            let plan = try await db.schemaPlan(for: Migrated.Second.self, Tagged.self)
            try expect(plan.isEmpty, equals: false, "whether the plan is empty")
            try expect(plan.hazards.map(\.message), equals: [], "the hazards")
            try expect(plan.isSafeWhileRunning, "The plan is not safe.")
            try await db.migrate(Migrated.Second.self, Tagged.self)
            _ = try await old.insert(Migrated.First(id: 2, title: "b"))
            _ = try await old.save(Migrated.First(id: 1, title: "c"))
            try expect(
                try await old.fetch(Migrated.First.self).map(\.title), equals: ["c", "b"], "the old version's rows")
            try expect(try await db.fetch(Migrated.Second.self).map(\.title), equals: ["c", "b"], "the rows")
        },
        ConformanceCase(
            "sch-8.hazards", "SCH-8", "What the previous version would fail at is told, with the step and a sentence"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            let demanding = try await db.schemaPlan(for: Migrated.Demanding.self)
            try expect(demanding.hazards.map(\.severity), equals: [.breaks], "how sure it is")
            try expect(demanding.hazards.map(\.table), equals: ["document"], "the table")
            try expect(demanding.hazards.first?.step, equals: demanding.steps.first, "the step")
            try expect(demanding.hazards.first?.message.contains("\"owner\"") == true, "No column: \(demanding.report)")

            let unique = try await db.schemaPlan(for: Migrated.Distinct.self)
            try expect(unique.hazards.map(\.severity), equals: [.mayBreak], "how sure a unique index is")
            try expect(unique.report.contains("-- Previous version: "), "The report has no hazard: \(unique.report)")

            let schema = Schema(
                Migrated.First.self,
                migrations: [
                    Migration("changes") { steps in
                        steps.rename(column: "title", of: "document", to: "name")
                        steps.sql("UPDATE document SET name = name")
                        steps.drop(column: "name", of: "document")
                    }
                ])
            let changes = try await db.schemaPlan(for: schema)
            try expect(
                changes.hazards.map(\.severity), equals: [.breaks, .mayBreak, .breaks, .breaks],
                "how sure those of a migration are, and of the column that is made again")
            try expect(changes.isSafeWhileRunning, equals: false, "whether it is safe")
        },
        ConformanceCase(
            "sch-8.hazards-of-types", "SCH-8", "Other types, required columns and what is dropped are hazards",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Narrow.self, Evolved.Holder.self)
            try await db.save(Evolved.Holder("h"))
            let wide = try await db.schemaPlan(for: Evolved.Wide.self)
            try expect(wide.hazards.count, equals: 4, "the number of columns with another type")
            try expect(wide.hazards.allSatisfy { $0.severity == .mayBreak }, "Another type breaks: \(wide.hazards)")
            let named = Schema(Evolved.Wide.self, migrations: [Migration("data") { $0.data { _ in } }])
            try expect(
                try await db.schemaPlan(for: named).hazards.count, equals: 5,
                "the number with that of a named migration")
            func hazards(_ schema: Schema) async throws -> [SchemaHazard.Severity] {
                try await db.schemaPlan(for: schema).hazards.map(\.severity)
            }
            try expect(
                try await hazards(
                    Schema(Evolved.Required.self, allowing: [.requiring(column: "note", of: "measure")])),
                equals: [.mayBreak], "those of a required column")
            try expect(
                try await hazards(Schema(Evolved.Rest.self, allowing: [.dropping(column: "note", of: "measure")])),
                equals: [.breaks], "those of a dropped column")
            let section = try await environment.open(Evolved.Chapter.self)
            let renames = try await section.schemaPlan(for: Evolved.Section.self)
            try expect(renames.isSafeWhileRunning, equals: false, "whether renames are safe")
            try expect(
                renames.hazards.contains { $0.severity == .breaks }, "No rename breaks anything: \(renames.hazards)")
        },
        ConformanceCase(
            "sch-8.concurrent-indexes", "SCH-8",
            "Indexes of filled tables are built concurrently if the schema says so; rows in the way are an error, after which it can be done again",
            requires: [.concurrentIndexes]
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert((0..<100).map { Migrated.First(id: Int64($0), title: "t\($0)") })
            let second = Schema(Migrated.Second.self, buildsIndexesConcurrently: true)
            let plan = try await db.schemaPlan(for: second)
            try expect(try await db.migrate(second).steps, equals: plan.steps, "the steps")
            try expect(try await db.migrate(second).steps, equals: [], "the steps of a second time")
            try expect(
                plan.steps.contains { !$0.isTransactional }, equals: environment.capabilities.buildsIndexesConcurrently,
                "whether something is outside of the transaction")
            try await expect(.uniqueViolation, from: "the new unique key") {
                _ = try await db.insert(
                    (1...2).map { Migrated.Second(id: 200 + $0, title: "c", code: "same") })
            }

            let distinct = Schema(Migrated.Distinct.self, buildsIndexesConcurrently: true)
            _ = try await db.insert(Migrated.First(id: 101, title: "t1"))
            try await expect(.uniqueViolation, from: "a unique index of equal values") {
                try await db.migrate(distinct)
            }
            _ = try await db.insert(Migrated.First(id: 102, title: "t1"))
            try await expect(.uniqueViolation, from: "another attempt") { try await db.migrate(distinct) }
            try await db.sql("DELETE FROM document WHERE id > 100").execute()
            try expect(try await db.migrate(distinct).steps.isEmpty, equals: false, "whether there was nothing to do")
            try expect(try await db.migrate(distinct).steps, equals: [], "the steps of a second time")
            try await expect(.uniqueViolation, from: "the unique key") {
                _ = try await db.insert(Migrated.First(id: 101, title: "t1"))
            }
        },
        ConformanceCase(
            "sch-8.concurrent-at-once", "SCH-8",
            "Eight that build indexes of a filled table at the same time take turns, while others write and read",
            requires: [.concurrentIndexes]
        ) { environment in
            let first = try await environment.open(Migrated.First.self)
            _ = try await first.insert((0..<1000).map { Migrated.First(id: Int64($0), title: "t\($0)") })
            let built = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 1 }
                        let schema = Schema(Migrated.Second.self, Tagged.self, buildsIndexesConcurrently: number != 3)
                        let plan = try await db.migrate(schema)
                        return plan.steps.filter {
                            if case .createIndex(_, "document") = $0.action { true } else { false }
                        }.count
                    }
                }
                group.addTask {
                    let db = try await environment.open()
                    for number in 0..<50 {
                        _ = try await db.insert(Migrated.First(id: 2000 + Int64(number), title: "w\(number)"))
                        _ = try await db.read { try await $0.count(Migrated.First.self) }
                    }
                    return 0
                }
                return try await group.reduce(0, +)
            }
            try expect(built, equals: 4, "the number of indexes that were built")
            let db = try await environment.open()
            try expect(try await db.migrate(Migrated.Second.self).steps, equals: [], "the steps of another time")
            try expect(try await db.count(Migrated.Second.self), equals: 1050, "the rows")
        },
    ]
}
