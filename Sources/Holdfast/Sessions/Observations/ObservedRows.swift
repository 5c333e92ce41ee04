import Synchronization

/// The rows of its own table that an observed query depends on: by which properties it chooses and orders them, and
/// which it found last.
///
/// It lets commits pass that can't change the result: updates of other properties in rows that are not in it, and new
/// rows that can't be found. In doubt it lets none pass.
final class ObservedRows: Sendable {
    /// A property with one of these values, or the row is not found.
    struct Comparison: Sendable {
        let property: String
        let values: Set<ComparedValue>
    }

    private enum Result {
        /// It is asked for other things than its objects.
        case unknown
        /// It is being read; what has changed meanwhile.
        case beingRead(changed: Set<Key>)
        case keys(Set<Key>)
    }

    private let description: TableDescription
    /// The properties by which rows are chosen and ordered; nil if they are not known.
    private let properties: Set<String>?
    let comparisons: [Comparison]
    private let result: Mutex<Result>
    /// How many changes are remembered while the result is being read, until it has to be read again in any case.
    private static let greatestChangeCount = 1_000

    var table: String { description.table }

    /// - Returns: nil if rows of the table matter to the query in other ways as well.
    init?(_ specification: QuerySpecification, of description: TableDescription, readsValues: Bool) {
        // Relations that lead back: other rows of the table may be part of the result, or of a condition.
        guard !description.tablesLedTo.contains(description.table) else { return nil }
        // And those around each row have a say in the order.
        if specification.objectOrders.contains(where: \.node.hasWindow) { return nil }
        self.description = description
        result = Mutex(readsValues ? .unknown : .beingRead(changed: []))
        properties = readsValues ? nil : specification.usedProperties(of: description)
        comparisons = specification.conditions.flatMap { $0.comparisons(of: description) }
    }

    /// Whether a change can change the result.
    func matter(to change: ObjectChange) -> Bool {
        switch change.kind {
        case .inserted: mayFind(change)
        case .saved: mayFind(change) || contain(change.key)
        case .updated: choose(by: change.properties) && mayFind(change) || contain(change.key)
        case .deleted: contain(change.key)
        case .fetched: false
        case .reload, .overflowed: true
        }
    }

    /// Whether a row as it is after a change may be found, as far as its values are known.
    private func mayFind(_ change: ObjectChange) -> Bool { !comparisons.contains { $0.excludes(change) } }

    private func choose(by names: [String]) -> Bool { properties.map { !$0.isDisjoint(with: names) } ?? true }

    private func contain(_ key: Key?) -> Bool {
        guard let key else { return true }
        return result.withLock { result in
            switch result {
            case .unknown: return true
            case .keys(let keys): return keys.contains(description.exposed(key))
            case .beingRead(var changed):
                guard changed.count < Self.greatestChangeCount else { return true }
                // Taken out meanwhile, so that it is not copied.
                result = .unknown
                changed.insert(description.exposed(key))
                result = .beingRead(changed: changed)
                return false
            }
        }
    }

    /// The result is being read: what is in it is not known.
    func beginReading() {
        result.withLock { result in
            if case .unknown = result { return }
            result = .beingRead(changed: [])
        }
    }

    /// The result was read.
    ///
    /// - Returns: Whether a row of it has changed meanwhile, so that it is to be read again.
    func endReading(_ found: [Key]) -> Bool {
        let found = Set(found)
        return result.withLock { result in
            defer { result = .keys(found) }
            if case .beingRead(let changed) = result { return !changed.isDisjoint(with: found) }
            return false
        }
    }
}

extension ObservedRows.Comparison {
    /// Whether a row that has changed can't meet it.
    fileprivate func excludes(_ change: ObjectChange) -> Bool {
        guard let value = change.values.first(where: { $0.property == property })?.value else { return false }
        return !values.contains(value)
    }
}

/// A value of a column that is equal to another if, and only if, it is the same: an integer, a truth value or a UUID.
enum ComparedValue: Hashable, Sendable {
    case integer(Int64)
    case boolean(Bool)
    case uuid([UInt8])

    /// - Returns: nil for values of other types, such as texts, which a column may compare in its own way, and for what
    ///   a column of the type can't be expected to hold.
    init?(_ cell: Cell, _ type: ColumnType) {
        switch type {
        case .int16, .int32, .int64:
            guard cell.kind == .integer else { return nil }
            self = .integer(cell.integer)
        case .boolean:
            guard cell.kind == .integer || cell.kind == .boolean else { return nil }
            self = .boolean(cell.payload != 0)
        case .uuid:
            guard cell.kind == .uuid || cell.kind == .blob else { return nil }
            self = .uuid(Array(cell.bytes))
        case .float, .double, .decimal, .text, .blob, .timestamp, .json: return nil
        }
    }
}

extension TableDescription {
    /// Where the values of properties are in a row of all columns, of those that have one column.
    func slots(ofProperties names: Set<String>) -> [ComparedSlot] {
        if names.isEmpty { return [] }
        return names.compactMap { name in
            let slots = columns.all.indices.filter { properties[columns.all[$0].property].name == name }
            return slots.count == 1
                ? ComparedSlot(property: name, slot: slots[0], type: columns.all[slots[0]].type) : nil
        }
    }
}

/// Where a row has a value that is compared.
struct ComparedSlot {
    let property: String
    let slot: Int
    let type: ColumnType

    /// The value in a row, with the name of the property.
    func value(in cells: UnsafePointer<Cell>) -> (property: String, value: ComparedValue)? {
        ComparedValue(cells[slot], type).map { (property, $0) }
    }
}

extension QuerySpecification {
    /// The properties that decide which objects are found, and in which order; nil if that is not known.
    fileprivate func usedProperties(of description: TableDescription) -> Set<String>? {
        var names: Set<String> = []
        for node in conditions + distinct + (objectOrders + choice).map(\.node) {
            guard node.addPropertyNames(to: &names) else { return nil }
        }
        if let deletion = description.deletion { names.insert(description.properties[deletion.property].name) }
        names.formUnion(description.scopeProperties)
        // Generated columns and versions change without being named by an update.
        var unnamed = description.generatedMask.union(description.versionMask)
        unnamed.subtract(description.keyMask)
        return unnamed.indices.contains { names.contains(description.properties[$0].name) } ? nil : names
    }
}

extension QueryNode {
    /// Adds the names with which paths begin, also those that begin at elements of arrays.
    ///
    /// - Returns: Whether all are known.
    func addPropertyNames(to names: inout Set<String>) -> Bool {
        switch self {
        case .path(let path), .hasElement(let path, _, _), .elementCount(let path, _, _):
            names.formUnion(path.names.prefix(1))
        case .elementAggregate(let aggregate): names.formUnion(aggregate.path.names.prefix(1))
        case .isHeld, .aggregate, .window, .text, .sql, .failure, .subquery, .exists, .isInQuery, .isInTree, .matches,
            .treeLevel, .searchRank:
            return false
        default: break
        }
        return children.allSatisfy { $0.addPropertyNames(to: &names) }
    }

    /// The values that own properties have to have for the condition to be true.
    fileprivate func comparisons(of description: TableDescription) -> [ObservedRows.Comparison] {
        func comparison(_ path: QueryPath, _ values: ParameterBuffer?) -> [ObservedRows.Comparison] {
            guard path.names.count == 1, path.scope.isQueried, let values, values.width == 1,
                let slot = description.slots(ofProperties: Set(path.names)).first
            else { return [] }
            // A reference to another property than the key holds no key.
            let property = description.columns.all[slot.slot].property
            if description.columns.alternateMask.contains(property) { return [] }
            let compared = values.cells.indices.compactMap { row in
                values.withRow(row) { cells in ComparedValue(cells[0], slot.type) }
            }
            guard compared.count == values.cells.count, !compared.isEmpty else { return [] }
            return [ObservedRows.Comparison(property: path.names[0], values: Set(compared))]
        }
        switch self {
        case .and(let nodes): return nodes.flatMap { $0.comparisons(of: description) }
        case .comparison(.equal, .path(let path), .value(.encoded(let value, _))),
            .comparison(.equal, .value(.encoded(let value, _)), .path(let path)):
            return comparison(path, value)
        case .comparison(.equal, .path(let path), .key(let key)), .comparison(.equal, .key(let key), .path(let path)):
            // Of a key that can't be stored, the query itself tells.
            return comparison(path, try? key.parameters())
        case .isInList(.path(let path), let list) where !list.hasNull && list.failure == nil:
            return comparison(path, list.values)
        default: return []
        }
    }
}
