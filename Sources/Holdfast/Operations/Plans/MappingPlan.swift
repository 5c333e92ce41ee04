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
        columns = description.columns
        keyLayout = description.layout(description.keyMask)
        hooks = HookSet.ofModel()
        statements = TableStatements(description, dialect: dialect)
        hasTextKey = description.keyIndices.contains { [description] in description.properties[$0].columnType == .text }
        finds = SharedFinds(statements.selectMany, columns)
    }

    /// Whether a save of a tracked object is one row, with nothing before and after it.
    var isSavedByRow: Bool { description.isClass && mapping.changes != nil && isOneRow }

    /// Whether all of an object is in its row, and nothing is to be called when that is written.
    var isOneRow: Bool {
        hooks == nil && columns.isWrittenByRow && columns.relationMask.isEmpty && !description.isReadOnly
    }

    /// Whether an upsert by a key can leave out to read the row back: the object is a value, and all that it holds is
    /// what was sent.
    func canBeUpsertedSilently(on key: PropertyMask) -> Bool {
        isOneRow && !description.isClass && !description.hasGeneratedKey && key == description.keyMask
            && (description.expiry == nil || description.meetsOnlyKey(description.writtenMask))
    }

    /// Makes an object of a row of all columns.
    func decode(_ cells: UnsafePointer<Cell>, showsKeys: Bool) throws -> Model {
        do {
            let model = try mapping.decode(Row(cells: cells, layout: columns.fullLayout))
            mapping.changes?(model) { $0.markPersisted() }
            mapping.keepOriginals(of: model)
            return model
        } catch {
            throw description.located(error, inRow: cells, showsKeys: showsKeys)
        }
    }
}

extension DatabaseCore {
    /// The statements of `Model`, made at its first use.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func plan<Model: TableObject>(for model: Model.Type = Model.self) throws -> MappingPlan<Model> {
        let key = ObjectIdentifier(Model.self)
        // Not asked of the runtime, which takes longer than the rest: what a key holds is known.
        if let plan = plans.withLock({ $0[key] }) { return unsafeDowncast(plan, to: MappingPlan<Model>.self) }
        let plan = try MappingPlan<Model>(dialect: dialect)
        if plan.description.expiry != nil { sweeper.add(Model.self, to: self) }
        return plans.withLock { plans in
            if let other = plans[key] { return unsafeDowncast(other, to: MappingPlan<Model>.self) }
            plans[key] = plan
            knownTables.note([plan.description])
            return plan
        }
    }
}

extension MappingPlan {
    /// The primary key of an object.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if it has none yet.
    func key(of model: Model) throws -> Key {
        if let key = try mapping.key(of: model) { return key }
        throw DatabaseError(
            .notFound, "The \(description.type) has no key yet, so it has no row. Save it first.",
            table: description.table)
    }

    /// What an object remembers of itself; nil if it is not tracked.
    func tracker(of model: Model) -> ChangeTracker? {
        guard let changes = mapping.changes else { return nil }
        var tracker = ChangeTracker()
        changes(model) { tracker = $0 }
        return tracker
    }

    /// Marks an object as being what its row holds.
    ///
    /// - Parameter unloaded: The properties that were not loaded with it.
    func markLoaded(_ model: Model, unloaded: PropertyMask = PropertyMask()) {
        mapping.changes?(model) { tracker in
            tracker.markPersisted()
            tracker.unloaded = unloaded
        }
        mapping.keepOriginals(of: model)
    }
}

extension TableDescription {
    /// The error of a row that could not be decoded, with the row's key where keys are shown.
    func located(_ error: any Error, inRow cells: UnsafePointer<Cell>, showsKeys: Bool) -> any Error {
        guard showsKeys, var located = error as? DatabaseError, located.code == .decoding else { return error }
        located.shownKey = exposed(columns.key(inRow: cells)).shown
        return located
    }
}
