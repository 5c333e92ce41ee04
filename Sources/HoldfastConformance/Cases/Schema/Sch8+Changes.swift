import Holdfast

/// The plan of each kind of change is what `migrate` then runs.
extension ConformanceCase {
    static let sch8Changes: [ConformanceCase] = changes.map { change in
        ConformanceCase(
            "sch-8.plan.\(change.name.replacing(" ", with: "-"))", "SCH-8",
            "The plan is what runs, and all of it is known: \(change.name)",
            level: .graph, requires: change.requires
        ) { environment in
            let db = try await environment.open()
            try await db.migrate(change.before())
            try await change.fill(db)
            let schema = change.after()
            let plan = try await db.schemaPlan(for: schema)
            try expect(plan.isEmpty, equals: false, "whether the plan is empty")
            try expect(plan.isKnown, "Something is not known: \(plan.report)")
            let done = try await db.migrate(schema)
            try expect(plan.steps.map(\.sql), equals: done.steps.map(\.sql), "the statements of the plan")
            try expect(plan.steps, equals: done.steps, "the steps of the plan")
            try expect(try await db.schemaPlan(for: schema).steps, equals: [], "the plan of a second time")
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
        }
    }

    private static let shop: @Sendable () -> [any TableObject.Type] = { [Planned.Shop.self, Planned.Draft.self] }

    private static let narrow: @Sendable () -> [any TableObject.Type] = { [Evolved.Narrow.self, Evolved.Holder.self] }

    private static let changes: [Change] = [
        Change(name: "new tables", before: { [] }, after: { Schema(Planned.Store.self, Planned.Ownership.self) }),
        Change(name: "all at once", before: shop, fill: Planned.fill, after: { Planned.schema([Planned.conversion]) }),
        Change(
            name: "concurrent indexes", requires: [.concurrentIndexes], before: shop, fill: Planned.fill,
            after: { Planned.schema([Planned.conversion], concurrently: true) }),
        Change(name: "declared renames", before: { [Evolved.Chapter.self] }, after: { Schema(Evolved.Section.self) }),
        Change(
            name: "renames by a migration", before: { [Renamed.Chapter.self] },
            after: { Schema(Renamed.Section.self, migrations: [Renamed.migration]) }),
        Change(name: "wider types", before: narrow, after: { Schema(Evolved.Wide.self) }),
        Change(
            name: "narrower types", before: narrow,
            after: { Schema(Evolved.Narrowed.self, allowing: [.narrowing(column: "large", of: "measure")]) }),
        Change(
            name: "a required column", before: narrow,
            after: { Schema(Evolved.Required.self, allowing: [.requiring(column: "note", of: "measure")]) }),
        Change(name: "optional columns", before: narrow, after: { Schema(Evolved.Relaxed.self) }),
        Change(
            name: "a column dropped by a late migration", before: narrow,
            after: {
                Schema(
                    Evolved.Relaxed.self,
                    migrations: [Migration("late", .afterTypes) { $0.drop(column: "note", of: "measure") }])
            }),
        Change(
            name: "values to arrays", before: { [Wrapped.Values.self] },
            after: { Schema(Wrapped.Arrays.self, allowing: Wrapped.wrapping) }),
        Change(
            name: "arrays to values", before: { [Wrapped.Arrays.self] },
            after: { Schema(Wrapped.WideValues.self, allowing: Wrapped.unwrapping()) }),
        Change(name: "more cases", before: { [Checked.Ticket.self] }, after: { Schema(Checked.Wider.self) }),
        Change(name: "renamed cases", before: { [Checked.Wider.self] }, after: { Schema(Checked.Renamed.self) }),
        Change(name: "free cases", before: { [Checked.Renamed.self] }, after: { Schema(Checked.Free.self) }),
        Change(
            name: "other defaults", before: { [Checked.Setting.self] }, after: { Schema(Checked.OtherSetting.self) }),
        Change(
            name: "a log", before: { [Migrated.First.self] },
            after: { Schema(Migrated.Second.self, logging: [Migrated.Second.self]) }),
    ]
}

/// A version of a program's types, and the schema of the next one.
private struct Change: Sendable {
    let name: String
    var requires: [Requirement] = []
    let before: @Sendable () -> [any TableObject.Type]
    var fill: @Sendable (Database) async throws -> Void = { _ in }
    let after: @Sendable () -> Schema
}
