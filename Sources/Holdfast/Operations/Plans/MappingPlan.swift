import Foundation
import Synchronization

/// A model's mapping, hooks and statements, as a database keeps them.
final class MappingPlan<Model: TableObject>: Sendable {
    let mapping: TableMapping<Model>
    let description: TableDescription
    let columns: TableColumns
    /// The layout of a row of nothing but the primary key.
    let keyLayout: RowLayout
    let hooks: HookSet<Model>?
    let statements: TableStatements
    /// Whether a part of the key is text, which an engine may compare without case in a table that others made.
    let hasTextKey: Bool
    /// Finds of several tasks by one statement.
    let finds: SharedFinds

    init(dialect: any Dialect) throws {
        mapping = Model.ownMapping
        description = mapping.description
        try description.validate()
        if description.expiry != nil, dialect.currentTime == nil {
            throw DatabaseError(
                .unsupported, "The objects of \(description.type) expire, and the driver has no SQL for the time.",
                table: description.table)
        }
        try description.checkScopes(dialect)
        columns = description.columns
        keyLayout = description.layout(description.keyMask)
        hooks = HookSet.ofModel()
        statements = TableStatements(description, dialect: dialect)
        hasTextKey = description.keyIndices.contains { [description] in description.properties[$0].columnType == .text }
        finds = SharedFinds(statements.selectMany, columns)
    }
}

extension DatabaseCore {
    /// The statements of `Model`, made at its first use.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func plan<Model: TableObject>(for model: Model.Type = Model.self) throws -> MappingPlan<Model> {
        let key = ObjectIdentifier(Model.self)
        // Not asked of the runtime, which takes longer than the rest: what a key holds is known.
        if let plan = plans[key] { return unsafeDowncast(plan, to: MappingPlan<Model>.self) }
        // Types that lead to none with scopes have the same statements whatever is seen.
        if let root, Model.ownDescription.scopedTypes.isEmpty {
            return unsafeDowncast(
                plans.add(try root.plan(for: Model.self), for: key), to: MappingPlan<Model>.self)
        }
        let plan = try MappingPlan<Model>(dialect: dialect)
        if plan.description.expiry != nil { sweeper.add(Model.self, to: root ?? self) }
        knownTables.note([plan.description])
        return unsafeDowncast(plans.add(plan, for: key), to: MappingPlan<Model>.self)
    }
}
