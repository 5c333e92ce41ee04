import Holdfast

extension ConformanceCase {
    static let sch10: [ConformanceCase] = [
        ConformanceCase(
            "sch-10.none", "SCH-10", "Tables as migrate makes them do not differ from their types",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(
                Note.self, Tagged.self, Scalars.self, OptionalScalars.self, Wide.self, Stamped.self,
                Migrated.Second.self)
            try await db.save(Note("a"))
            try expect(
                try await db.drift(
                    Note.self, Tagged.self, Scalars.self, OptionalScalars.self, Wide.self, Stamped.self,
                    Migrated.Second.self),
                equals: [], "the differences")
            try expect(
                try await db.drift(Migrated.First.self, Migrated.Contradicting.self).contains {
                    if case .changed = $0.difference { true } else { false }
                }, "A type that needs other columns has no differences.")
        },
        ConformanceCase(
            "sch-10.relations", "SCH-10", "Relations and delete rules as migrate makes them do not differ",
            level: .graph, requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Company.self, Employee.self, Renamed.Chapter.self)
            try expect(
                try await db.drift(Company.self, Employee.self, Renamed.Chapter.self), equals: [], "the differences")
            try await db.dropTable(Employee.self)
            let missing = try await db.drift(Company.self)
            try expect(
                missing.filter { $0.element == .table }.map(\.table).contains("employee"),
                "The table that is not there is not among \(missing).")
        },
        ConformanceCase(
            "sch-10.by-hand", "SCH-10", "Columns and indexes that were made or dropped by hand are reported",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.sql("ALTER TABLE note ADD COLUMN extra integer").execute()
            try await db.sql("CREATE INDEX by_hand ON note (rank) WHERE rank > 1").execute()
            try await db.dropIndex(on: Note.self, of: "code")
            try await db.sql("ALTER TABLE note RENAME COLUMN body TO contents").execute()
            let drift = try await db.drift(Note.self)
            let parts = drift.map { drift in
                switch drift.difference {
                case .missing: "- \(drift.element)"
                case .unknown: "+ \(drift.element)"
                case .changed: "~ \(drift.element)"
                }
            }
            try expect(
                parts,
                equals: [
                    "- column(\"body\")", "+ column(\"contents\")", "+ column(\"extra\")",
                    "- index(\"note_code_key\")", "+ index(\"by_hand\")",
                ], "the differences")
            try expect(
                drift.first?.description.hasPrefix("The column \"body\" of \"note\" is missing: "), equals: true,
                "the sentence")
            // What no model has is left alone, and the rest is made.
            try await db.migrate(Note.self)
            try expect(try await db.drift(Note.self).count, equals: 3, "the differences after migrate")
        },
    ]
}
