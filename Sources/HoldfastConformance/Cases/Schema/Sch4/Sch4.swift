import Foundation
import Holdfast

extension ConformanceCase {
    static let sch4: [ConformanceCase] = [
        ConformanceCase(
            "sch-4.renames", "SCH-4",
            "Declared former names let tables, columns, join tables, keys and rules follow, and every object is what it was",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Chapter.self)
            let (first, second) = (Evolved.Chapter("a"), Evolved.Chapter("b"))
            (first.words, first.marks, second.words) = (["x", "y", "x"], [3, 1], ["z"])
            first.notes = [Evolved.Remark("n"), Evolved.Remark("m")]
            first.next = second
            try await db.save([first, second])

            let plan = try await db.schemaPlan(for: Evolved.Section.self)
            try expect(plan.steps.contains(where: \.losesData), equals: false, "whether a step loses data")
            try await db.migrate(Evolved.Section.self)
            try expect(try await db.migrate(Evolved.Section.self).steps, equals: [], "the steps of a second time")
            let sections = try await db.query(Evolved.Section.self).order { $0.headline.ascending }.fetch()
            try expect(sections.map(\.headline), equals: ["a", "b"], "the renamed property")
            try expect(sections.map(\.terms), equals: [["x", "y", "x"], ["z"]], "the renamed arrays")
            try expect(sections.map(\.scores), equals: [[3, 1], nil], "the renamed optional arrays")
            try expect(sections[0].remarks.map(\.body), equals: ["n", "m"], "the related objects")
            try expect(sections[0].following === sections[1], "The reference leads elsewhere.")
            let clash = try await expect(.uniqueViolation, from: "the unique key of the renamed columns") {
                try await db.save(Evolved.Section("a"))
            }
            try expect(clash.properties.sorted(), equals: ["headline", "rank"], "the properties of the unique key")

            // The delete rules are kept by the database itself.
            try await db.sql("DELETE FROM section WHERE headline = 'a'").execute()
            try expect(try await db.count(Evolved.Section.self), equals: 0, "the sections")
            try expect(try await db.count(Evolved.Comment.self), equals: 0, "the remarks of a section that is gone")
            try await db.migrate(Evolved.Section.self, Evolved.Chapter.self)
            try expect(
                try await db.count(Evolved.Chapter.self), equals: 0, "the rows of a table of the name that became free")
        },
        ConformanceCase(
            "sch-4.names-in-use", "SCH-4",
            "A new property may take a name that became free; two that swap their names are refused", level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Remark.self)
            try await db.save(Evolved.Remark("kept"))
            try await db.migrate(Evolved.Shifted.self)
            let shifted = try await db.fetch(Evolved.Shifted.self)
            try expect(shifted.map(\.body), equals: ["kept"], "the renamed property")
            try expect(shifted.map(\.text), equals: [nil], "the new property of the old name")
            try expect(try await db.migrate(Evolved.Shifted.self).steps, equals: [], "the steps of a second time")
            let error = try await expect(.conflict, from: "two that swap their names") {
                try await db.migrate(Evolved.Swapped.self)
            }
            try expect(error.properties.sorted(), equals: ["body", "text"], "the properties that the error names")
        },
        ConformanceCase(
            "sch-4.widens", "SCH-4",
            "Columns become wider by themselves; rows, keys, indexes and references stay", level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Holder.self)
            let holder = Evolved.Holder("h")
            holder.measures = [Evolved.Narrow(7, owner: holder), Evolved.Narrow(-8)]
            holder.measures[0].counts = [1, 2]
            holder.measures[0].note = "n"
            try await db.save(holder)
            let last = Evolved.Narrow(9)
            try await db.save(last)
            let lastKey = last.id ?? 0
            try await db.delete(last)

            let plan = try await db.migrate(Evolved.Wide.self)
            try expect(plan.steps.contains(where: \.losesData), equals: false, "whether a step loses data")
            try expect(try await db.migrate(Evolved.Wide.self).steps, equals: [], "the steps of a second time")
            let wide = try await db.query(Evolved.Wide.self).order { $0.id.ascending }.fetch()
            try expect(wide.map(\.small), equals: [7, -8], "a wider integer")
            try expect(wide.map(\.middle), equals: [7, -8], "an integer that became a floating-point number")
            try expect(wide.map(\.large), equals: [7, -8], "an integer that became a decimal")
            try expect(wide.map(\.real), equals: [3.5, -4], "a wider floating-point number")
            try expect(wide.map(\.note), equals: ["n", nil], "a column that stays")
            wide[0].small = Int32.max
            wide[0].large = Decimal(string: "12345678901234567890.5") ?? 0
            try await db.save(wide[0])
            let again = try await db.query(Evolved.Wide.self).where { $0.large > 100 }.fetch()
            try expect(again.map(\.small), equals: [Int32.max], "a value that did not fit before")
            // What refers to the rows, and keys that were given before, are what they were.
            let kept = try await db.sql("SELECT owner_id FROM measure ORDER BY id").fetch(as: Int64?.self)
            try expect(kept, equals: [holder.id, nil], "the references")
            let counts = try await db.sql("SELECT count(*) FROM measure_counts").fetch(as: Int.self)
            try expect(counts, equals: [2], "the rows of the join table")
            let links = try await db.sql("SELECT count(*) FROM holder_measures").fetch(as: Int.self)
            try expect(links, equals: [2], "the links to the rows")
            let new = Evolved.Wide(1)
            try await db.save(new)
            try expect((new.id ?? 0) > lastKey, "A key was given again: \(String(describing: new.id))")
            try await expect(.conflict, from: "a narrower type that nobody allowed") {
                try await db.migrate(Evolved.Narrow.self)
            }
            try expect(try await db.count(Evolved.Wide.self), equals: 3, "the rows")
        },
        ConformanceCase(
            "sch-4.narrows", "SCH-4",
            "A column becomes narrower only if that is allowed, and every value fits", level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Narrow.self)
            let measure = Evolved.Narrow(7)
            measure.large = 70_000
            try await db.save(measure)
            let schema = Schema(
                Evolved.Narrowed.self, allowing: [.narrowing(column: "large", of: "measure")])
            let refused = try await expect(.conflict, from: "a narrower type that nobody allowed") {
                try await db.migrate(Evolved.Narrowed.self)
            }
            try expect(refused.properties, equals: ["large"], "the property that the error names")
            try expect(refused.message.contains("narrowing"), "The error does not say how to allow it: \(refused)")
            let misfit = try await expect(.conflict, from: "a value that does not fit") { try await db.migrate(schema) }
            try expect(misfit.properties, equals: ["large"], "the property that the error names")
            try expect(try await db.fetch(Evolved.Narrow.self).map(\.large), equals: [70_000], "the value")
            measure.large = 7
            try await db.save(measure)
            try expect(
                try await db.schemaPlan(for: schema).steps.contains(where: \.losesData), "No step is said to lose data."
            )
            try await db.migrate(schema)
            try expect(try await db.fetch(Evolved.Narrowed.self).map(\.large), equals: [7], "the value")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-4.nullability", "SCH-4",
            "A column accepts NULL when its property becomes optional, and refuses it when that is allowed",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Holder.self)
            let holder = Evolved.Holder("h")
            holder.measures = [Evolved.Narrow(1, owner: holder), Evolved.Narrow(2)]
            holder.measures[0].note = "n"
            try await db.save(holder)
            // Without being asked, nothing is refused that was accepted.
            let unasked = try await db.migrate(Evolved.Required.self).steps
            try expect(unasked.contains(where: \.mayFail), equals: false, "whether a step can fail that nobody allowed")
            try expect(try await db.migrate(Evolved.Required.self).steps, equals: [], "the steps of a second time")
            try await db.sql("UPDATE measure SET note = NULL WHERE note = 'none'").execute()
            let requiring = [SchemaLoss.requiring(column: "note", of: "measure")]
            let error = try await expect(.conflict, from: "a row without a value, and no default") {
                try await db.migrate(Schema(Evolved.Demanding.self, allowing: requiring))
            }
            try expect(error.properties, equals: ["note"], "the property that the error names")
            let schema = Schema(Evolved.Required.self, allowing: requiring)
            try await db.migrate(schema)
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            let notes = try await db.query(Evolved.Required.self).order { $0.id.ascending }.fetch().map(\.note)
            try expect(notes, equals: ["n", "none"], "the notes")
            try await expect(.notNullViolation, from: "NULL in a column that is required now") {
                try await db.sql("UPDATE measure SET note = NULL").execute()
            }
            try await db.migrate(Evolved.Relaxed.self)
            try expect(try await db.migrate(Evolved.Relaxed.self).steps, equals: [], "the steps of a second time")
            _ = try await db.save(Evolved.Relaxed(small: nil, large: nil))
            let all = try await db.query(Evolved.Relaxed.self).order { $0.id.ascending }.fetch().map(\.small)
            try expect(all, equals: [1, 2, nil], "the values")
            let links = try await db.sql("SELECT count(*) FROM holder_measures").fetch(as: Int.self)
            try expect(links, equals: [2], "the links to the rows")
        },
        ConformanceCase(
            "sch-4.drops", "SCH-4", "Columns and tables are dropped if that is allowed by name, and no model has them",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Narrow.self, Evolved.Remark.self)
            try await db.save(Evolved.Narrow(7))
            try await db.save(Evolved.Remark("gone"))
            func schema(_ losses: SchemaLoss...) -> Schema { Schema(Evolved.Rest.self, allowing: losses) }
            let owned = try await expect(.conflict, from: "a column that a model has") {
                try await db.migrate(schema(.dropping(column: "small", of: "measure")))
            }
            try expect(owned.properties, equals: ["small"], "the property that the error names")
            try await expect(.conflict, from: "a table that a model has") {
                try await db.migrate(schema(.dropping(table: "measure")))
            }
            let losses = schema(
                .dropping(column: "note", of: "measure"), .dropping(column: "large", of: "measure"),
                .dropping(column: "middle", of: "measure"), .dropping(column: "real", of: "measure"),
                .dropping(table: "remark"), .dropping(table: "never_was"))
            let plan = try await db.migrate(losses)
            try expect(plan.steps.filter(\.losesData).count, equals: 5, "the steps that lose data")
            try expect(try await db.migrate(losses).steps, equals: [], "the steps of a second time")
            _ = try await db.insert(Evolved.Rest(small: 8))
            try expect(
                try await db.query(Evolved.Rest.self).order { $0.id.ascending }.fetch().map(\.small), equals: [7, 8],
                "the rows")
            try await expect(.notMigrated, from: "a table that was dropped") {
                _ = try await db.count(Evolved.Remark.self)
            }
            // Another one of the name is new.
            try await db.migrate(Evolved.Remark.self)
            try expect(try await db.count(Evolved.Remark.self), equals: 0, "the rows of a new table")
        },
        ConformanceCase(
            "sch-4.drops-reference", "SCH-4", "A reference is dropped with its delete rule, or refused as a whole",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Chapter.self)
            let chapter = Evolved.Chapter("a")
            chapter.next = Evolved.Chapter("b")
            try await db.save(chapter)
            let schema = Schema(Evolved.Lone.self, allowing: [.dropping(column: "next_id", of: "chapter")])
            do {
                try await db.migrate(schema)
            } catch let error as DatabaseError where error.code == .unsupported {
                // The engine drops no column with a foreign key, and nothing was changed.
                let pending = Schema(
                    Evolved.Lone.self, migrations: [Migration("1") { $0.sql("SELECT 1") }],
                    allowing: [.dropping(column: "next_id", of: "chapter")])
                try await expect(.unsupported, from: "the plan of the same behind a migration") {
                    _ = try await db.schemaPlan(for: pending)
                }
                try await db.delete(chapter)
                try expect(try await db.count(Evolved.Lone.self), equals: 0, "the rows that the rule has left")
                return
            }
            let lone = try expect(
                some: try await db.query(Evolved.Lone.self).where { $0.title == "a" }.first(), "a row")
            try await db.delete(lone)
            try expect(try await db.fetch(Evolved.Lone.self).map(\.title), equals: ["b"], "the other row")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
        },
        ConformanceCase(
            "sch-4.type-by-migration", "SCH-4",
            "A migration gives a column another type, with an expression for its values",
            level: .graph
        ) { environment in
            let db = try await environment.open(Evolved.Priced.self)
            try await db.save([Evolved.Priced(" 12.50 "), Evolved.Priced("3")])
            func schema(_ value: SQLFragment?) -> Schema {
                Schema(
                    Evolved.Repriced.self,
                    migrations: [
                        Migration("price") { $0.changeType(of: "price", in: "priced", to: .decimal, using: value) }
                    ])
            }
            try await expect(.conflict, from: "another type without a migration") {
                try await db.migrate(Evolved.Repriced.self)
            }
            let unknown = try await expect(.invalidValue, from: "a conversion that nobody knows") {
                try await db.migrate(schema(nil))
            }
            try expect(unknown.properties, equals: ["price"], "the property that the error names")
            let number = "CASE WHEN price = '3' THEN 3 ELSE 12.5 END" as SQLFragment
            try await db.migrate(schema(number))
            try expect(try await db.migrate(schema(number)).steps, equals: [], "the steps of a second time")
            let prices = try await db.query(Evolved.Repriced.self).order { $0.price.ascending }.fetch()
            try expect(prices.map(\.price), equals: [3, 12.5], "the new values")
            _ = try await db.insert(Evolved.Repriced(price: 7))
            let dear = try await db.query(Evolved.Repriced.self).where { $0.price > 5 }.count()
            try expect(dear, equals: 2, "the number of values above another")
        },
    ]
}
