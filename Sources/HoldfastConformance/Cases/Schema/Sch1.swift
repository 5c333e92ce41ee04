import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let sch1: [ConformanceCase] = [
        ConformanceCase(
            "sch-1.from-nothing",
            "SCH-1",
            "migrate makes everything that the types need from nothing, and a second time nothing"
        ) { environment in
            let db = try await environment.open()
            let plan = try await db.schemaPlan(for: Tagged.self, Note.self, Place.self)
            try expect(plan.description.contains("CREATE TABLE"), "The plan does not print as SQL: \(plan)")
            try await expect(.notMigrated, from: "using the table after a plan was only made") {
                _ = try await db.count(Note.self)
            }
            let done = try await db.migrate(Tagged.self, Note.self, Place.self)
            try expect(done, equals: plan, "what was done")
            try await db.save(Tagged(tags: ["a"], scores: [1], gaps: [nil]))
            try expect(
                try await db.migrate(Tagged.self, Note.self, Place.self).steps,
                equals: [],
                "the steps of a second time"
            )
            try expect(try await db.schemaPlan(for: Tagged.self).steps, equals: [], "the plan of a second time")
            let other = try await environment.open()
            try expect(
                try await other.migrate([Tagged.self, Tagged.self]).steps,
                equals: [],
                "the steps of another connection"
            )
            try expect(try await other.fetch(Tagged.self).map(\.tags), equals: [["a"]], "the rows")
        },
        ConformanceCase(
            "sch-1.index-kinds", "SCH-1",
            "Indexes of some rows, of expressions and in descending order are made once, and follow renames",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Catalogued.First.self)
            func indexes() async throws -> [DatabaseSchema.Index] {
                let schema = try await db.schema()
                return (schema.table("catalogued")?.indexes ?? []).sorted { $0.name < $1.name }
            }
            try expect(try await db.migrate(Catalogued.First.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Catalogued.First.self), equals: [], "the differences")
            let made = try await indexes()
            try expect(made, count: 4, "indexes")
            let directions = made.map { index in index.terms.map { $0.isDescending ? "DESC" : $0.column ?? "()" } }
            try expect(
                directions.sorted { "\($0)" < "\($1)" }, equals: [["()"], ["code"], ["name", "DESC"], ["rank"]],
                "the terms")
            try expect(
                made.filter { $0.condition != nil }.map(\.isUnique).sorted { !$0 && $1 }, equals: [false, true],
                "which indexes of some rows are unique")

            _ = try await db.insert([
                Catalogued.First(name: "a", rank: nil, code: "x", gone: 1),
                Catalogued.First(name: "b", rank: 2, code: "x", gone: 2),
                Catalogued.First(name: "c", rank: 3, code: "x", gone: nil),
            ])
            try await expect(.uniqueViolation, from: "a second one among the rows that the key is of") {
                _ = try await db.insert(Catalogued.First(name: "d", rank: 4, code: "x", gone: nil))
            }
            let error = try await expect(.syntax, from: "an upsert by a key of some rows") {
                _ = try await db.upsert(Catalogued.First(name: "d", rank: 4, code: "x", gone: nil), on: \.code)
            }
            try expect(error.properties, equals: ["code"], "the property that the error names")
            let ordered = try await db.query(Catalogued.First.self).order { $0.rank.descending }.fetch()
            try expect(ordered.map(\.name), equals: ["c", "b", "a"], "the order")

            try await db.migrate(Catalogued.Second.self)
            let renamed = try await indexes()
            try expect(renamed, count: 4, "indexes after a column was renamed")
            try expect(
                renamed.filter { $0.name.contains("place") }.map { $0.terms.map(\.column) },
                equals: [
                    ["name", "place"], ["place"],
                ], "the indexes of the renamed column")
            try expect(try await db.drift(Catalogued.Second.self), equals: [], "the differences after that")
        },
        ConformanceCase(
            "sch-1.adds",
            "SCH-1",
            "migrate adds columns, indexes and join tables to a table with rows, which get the defaults"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert([Migrated.First(id: 1, title: "a"), Migrated.First(id: 2, title: "b")])
            let plan = try await db.migrate(Migrated.Second.self)
            try expect(plan.steps.isEmpty, equals: false, "whether nothing was done")
            try expect(plan.steps.contains(where: \.losesData), equals: false, "whether a step loses data")
            var expected = Migrated.Second(id: 1, title: "a")
            try expect(
                try await db.find(Migrated.Second.self, key: 1),
                equals: expected,
                "an old row as the new version sees it"
            )
            expected.words = ["x", "y"]
            expected.marks = []
            expected.code = "c"
            expected.pages = nil
            _ = try await db.save(expected)
            try expect(try await db.find(Migrated.Second.self, key: 1), equals: expected, "an old row that was saved")
            let same = expected.code
            let clash = try await expect(.uniqueViolation, from: "the new unique key") {
                _ = try await db.insert(Migrated.Second(id: 3, title: "c", code: same))
            }
            try expect(clash.properties, equals: ["code"], "the properties of the new unique key")
            try expect(try await db.migrate(Migrated.Second.self).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-1.covered-references", "SCH-1",
            "A reference has no index of its own where a declared one of all rows begins with its column",
            level: .graph
        ) { environment in
            let db = try await environment.open()
            let plan = try await db.migrate(Migrated.Entry.self)
            let indexes = plan.steps.map(\.sql).filter { $0.contains("INDEX") && $0.contains("\"entry\"") }
            try expect(indexes.count, equals: 3, "the number of indexes: \(indexes)")
            try expect(
                indexes.contains { $0.contains("\"entry_other_id_idx\"") }, equals: true,
                "whether the other reference has an index: \(indexes)")
            try expect(try await db.migrate(Migrated.Entry.self).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-1.never-drops",
            "SCH-1",
            "migrate leaves columns and tables alone that the types do not know"
        ) { environment in
            let db = try await environment.open(Migrated.Second.self, Note.self)
            var second = Migrated.Second(id: 1, title: "a")
            second.words = ["kept"]
            second.pages = 12
            _ = try await db.insert(second)
            try expect(try await db.migrate(Migrated.First.self).steps, equals: [], "the steps towards fewer columns")
            _ = try await db.save(Migrated.First(id: 1, title: "b"))
            second.title = "b"
            try expect(
                try await db.find(Migrated.Second.self, key: 1),
                equals: second,
                "the row after an old version saved it"
            )
            _ = try await db.insert(Migrated.First(id: 2, title: "new"))
            let expected = Migrated.Second(id: 2, title: "new")
            try expect(
                try await db.find(Migrated.Second.self, key: 2),
                equals: expected,
                "a row that an old version inserted"
            )
        },
        ConformanceCase(
            "sch-1.refuses",
            "SCH-1",
            "What can't be added or contradicts what exists is refused by name, and nothing is done"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            let demanding = try await expect(.conflict, from: "a column without a default on a table with rows") {
                try await db.migrate(Note.self, Migrated.Demanding.self)
            }
            try expect(demanding.properties, equals: ["owner"], "the property that the error names")
            try expect(demanding.table, equals: "document", "the table that the error names")
            try await expect(.notMigrated, from: "the other type of a migration that was refused") {
                _ = try await db.count(Note.self)
            }
            let contradicting = try await expect(.conflict, from: "another type in a column") {
                try await db.migrate(Migrated.Contradicting.self)
            }
            try expect(contradicting.properties, equals: ["title"], "the property that the error names")
            try await expect(.conflict, from: "another key") { try await db.migrate(Migrated.Rekeyed.self) }
            try await db.migrate(Migrated.Second.self)
            let dated = try await expect(.conflict, from: "a date in a column of numbers") {
                try await db.migrate(Migrated.Dated.self)
            }
            try expect(dated.properties, equals: ["printed"], "the property that the error names")
            try expect(try await db.fetch(Migrated.First.self).map(\.title), equals: ["a"], "the rows")
        },
        ConformanceCase(
            "sch-1.empty-table",
            "SCH-1",
            "A column without a default is added to a table without rows"
        ) { environment in
            let db = try await environment.open(Migrated.First.self)
            try await db.migrate(Migrated.Demanding.self)
            let value = try await db.insert(Migrated.Demanding(id: 1, title: "a", owner: "b"))
            try expect(value.owner, equals: "b", "the new property")
            try expect(try await db.fetch(Migrated.Demanding.self).map(\.owner), equals: ["b"], "the rows")
        },
        ConformanceCase(
            "sch-1.eight-at-once",
            "SCH-1",
            "Eight that migrate an empty database at the same time all succeed, and it is done once"
        ) { environment in
            let done = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 2 }
                        let plan = try await db.migrate(Tagged.self, Note.self, Migrated.Second.self)
                        try await db.save(Tagged("\(number)", tags: ["t"]))
                        return plan.steps.isEmpty ? 0 : 1
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(done, equals: 1, "the number of those that had something to do")
            let db = try await environment.open()
            try expect(try await db.count(Tagged.self), equals: 8, "the number of rows")
        },
        ConformanceCase(
            "sch-1.upgrade-at-once",
            "SCH-1",
            "Eight that upgrade a database with rows at the same time all succeed"
        ) { environment in
            let first = try await environment.open(Migrated.First.self)
            _ = try await first.insert((0..<100).map { Migrated.First(id: Int64($0), title: "t\($0)") })
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        let db = try await environment.open { $0.pool.maximumConnections = 2 }
                        try await db.migrate(Migrated.Second.self)
                        try expect(try await db.fetch(Migrated.Second.self).count, equals: 100, "the number of rows")
                    }
                }
                try await group.waitForAll()
            }
        },
        ConformanceCase(
            "sch-1.additive", "SCH-1",
            "A program starts though the database has had a migration that it does not list, if that only adds"
        ) { environment in
            let db = try await environment.open(Released.Customer.self)
            try await db.save(Released.Customer("a"))
            func schema(_ migrations: Migration...) -> Schema { Schema(Released.Customer.self, migrations: migrations) }
            let first = Migration("first", isAdditive: true) { $0.sql("UPDATE customer SET name = 'b'") }
            let second = Migration("second") { $0.sql("UPDATE customer SET name = 'c'") }
            try await db.migrate(schema(first))
            try await db.migrate(schema())
            try await db.migrate(schema(first, second))
            let error = try await expect(.conflict, from: "a program before one that is not additive") {
                try await db.migrate(schema(first))
            }
            try expect(error.message.contains("\"second\""), "It does not name the migration: \(error)")
            try expect(try await db.fetch(Released.Customer.self).map(\.name), equals: ["c"], "the names")
            let dropping = Migration("third", isAdditive: true) { $0.drop(column: "name", of: "customer") }
            let refused = try await expect(.conflict, from: "an additive migration that drops") {
                try await db.migrate(schema(first, second, dropping))
            }
            try expect(refused.message.contains("\"third\""), "It does not name the migration: \(refused)")
        },
        ConformanceCase(
            "sch-1.takes-turns", "SCH-1",
            "A migration waits for another one for longer than the lock timeout and the statement timeout"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open { probe.attach(to: &$0) }
            let others = [try await impatient(environment), try await impatient(environment)]
            let (reached, enough) = (Signal(), Signal())
            // Whatever fails: a migration that is held would keep the database from being closed.
            defer { enough.give() }
            probe.hold("CREATE TABLE \"note\"", reached: reached, until: enough)
            let first = Task { try await db.migrate(Note.self) }
            await reached.wait()
            let tasks = others.map { other in Task { try await other.migrate(Note.self) } }
            let cancelled = Task { try await others[0].migrate(Note.self) }
            let alsoCancelled = Task { try await (try await impatient(environment)).migrate(Note.self) }
            try await Task.sleep(for: .milliseconds(900))
            for task in [cancelled, alsoCancelled] {
                task.cancel()
                try await expect(within: .seconds(10), "Cancelling a migration that waits") {
                    try await expect(.cancelled, from: "a migration that waits") { _ = try await task.value }
                }
            }
            enough.give()
            try expect(try await first.value.steps.isEmpty, equals: false, "whether the first did nothing")
            for task in tasks {
                try expect(try await task.value.steps.isEmpty, equals: true, "whether a later one did nothing")
            }
            try await others[0].save(Note("afterwards"))
        },
    ]

    private static func impatient(_ environment: ConformanceEnvironment) async throws -> Database {
        try await environment.open {
            $0.timeouts.lock = .milliseconds(200)
            $0.timeouts.statement = .milliseconds(400)
        }
    }
}
