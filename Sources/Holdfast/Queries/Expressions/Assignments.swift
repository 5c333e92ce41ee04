/// The assignments of a bulk update: a property is set as `$0.name.set("…")`, or computed as `$0.count += 1` and
/// `$0.name.set($0.name.current + "…")`, and a part of one that is kept as JSON as
/// `$0.profile.setJSON("city", to: "…")`.
@dynamicMemberLookup
public struct Assignments<Model: TableObject> {
    var list: [(path: QueryNode, value: QueryNode)] = []
    /// What the row is named by, also in queries inside.
    let columns: Columns<Model>

    init(_ scope: QueryScope) { columns = Columns(QueryPath(scope: scope)) }

    /// A property with a value.
    ///
    /// ```swift
    /// $0.budget += 10
    /// $0.status.set(.done)
    /// ```
    public subscript<Value: Storable>(dynamicMember keyPath: KeyPath<Model, Value>) -> Assignment<Value> {
        get {
            let storage = Model.ownDescription.index(ofKeyPath: keyPath).map {
                Model.ownDescription.properties[$0].storage
            }
            return Assignment(current: columns[dynamicMember: keyPath], storage: storage ?? .native)
        }
        set { record(newValue.current.node, newValue.value) }
    }

    /// A relation, whose target can be set.
    ///
    /// ```swift
    /// $0.lead.set(ann)
    /// ```
    public subscript<Target: TableObject>(
        dynamicMember keyPath: KeyPath<Model, Target?>
    ) -> RelationAssignment<Target> {
        get { RelationAssignment(column: columns[dynamicMember: keyPath]) }
        set { record(newValue.column.node, newValue.value) }
    }

    /// A relation that always has a target.
    public subscript<Target: TableObject>(
        dynamicMember keyPath: KeyPath<Model, Target>
    ) -> RelationAssignment<Target> {
        get { RelationAssignment(column: columns[dynamicMember: keyPath]) }
        set { record(newValue.column.node, newValue.value) }
    }

    /// A reference, whose target can be set.
    ///
    /// ```swift
    /// $0.customer.set(key: 7)
    /// $0.customer.set(invoice.customer)
    /// ```
    public subscript<Target>(
        dynamicMember keyPath: KeyPath<Model, Reference<Target>>
    ) -> RelationAssignment<Target> {
        get { RelationAssignment(column: columns[dynamicMember: keyPath]) }
        set { record(newValue.column.node, newValue.value) }
    }

    /// A reference that may be nil.
    public subscript<Target>(
        dynamicMember keyPath: KeyPath<Model, Reference<Target>?>
    ) -> RelationAssignment<Target> {
        get { RelationAssignment(column: columns[dynamicMember: keyPath]) }
        set { record(newValue.column.node, newValue.value) }
    }

    /// A property that is kept as JSON, inside of which values can be set and removed.
    ///
    /// ```swift
    /// $0.profile.setJSON("address.city", to: "Bonn")
    /// ```
    @_disfavoredOverload
    public subscript<Value: Codable>(dynamicMember keyPath: KeyPath<Model, Value>) -> JSONAssignment {
        get {
            let node = (columns[dynamicMember: keyPath] as QueryExpression<Value>).node
            guard let index = index(of: node), case .edited(_, let edits) = list[index].value else {
                return JSONAssignment(node, edits: [])
            }
            return JSONAssignment(node, edits: edits)
        }
        set {
            guard let value = newValue.value else { return }
            if let index = index(of: newValue.property), case .edited = list[index].value {
                list[index].value = value
            } else {
                list.append((newValue.property, value))
            }
        }
    }

    private func index(of property: QueryNode) -> Int? {
        guard case .path(let path) = property else { return nil }
        return list.firstIndex { if case .path(let other) = $0.path { other.names == path.names } else { false } }
    }

    private mutating func record(_ path: QueryNode, _ value: QueryNode?) {
        if let value { list.append((path, value)) }
    }
}

/// A property in a bulk update.
public struct Assignment<Value: Storable> {
    /// The value of the property before the update, for use in the new value.
    public let current: QueryExpression<Value>
    /// The storage of the property's column, which is not always that of the expression.
    private let storage: ValueStorage
    fileprivate var value: QueryNode?

    fileprivate init(current: QueryExpression<Value>, storage: ValueStorage) {
        (self.current, self.storage) = (current, storage)
    }

    /// Sets the property to a value.
    ///
    /// ```swift
    /// .update { $0.status.set(.done) }    // SET "status" = $1
    /// ```
    public mutating func set(_ value: Value) { self.value = QueryValue.encoding(value, storage) }

    /// Sets the property to an expression of the row.
    ///
    /// ```swift
    /// .update { $0.name.set($0.name.current + "!") }    // computed by the database
    /// ```
    public mutating func set(_ expression: QueryExpression<Value>) {
        value = expression.node
        if case .path = expression.node { return }
        guard let number = Value.self as? any NumberValue.Type, !number._isAsWideAsItsColumn else { return }
        value = .failure(
            DatabaseError(
                .unsupported,
                "An update by a query computes a \(number), of which its column holds more than the type does. Compute it in Swift, or make the property a wider integer."
            ))
    }
}

extension Assignment where Value: NumberValue {
    /// Adds a value to the property.
    ///
    /// ```swift
    /// try await db.query(Project.self).update { $0.budget += 10 }
    /// ```
    public static func += (assignment: inout Assignment, value: Value) {
        assignment.set(assignment.current + value)
    }

    /// Subtracts a value from the property.
    public static func -= (assignment: inout Assignment, value: Value) {
        assignment.set(assignment.current - value)
    }

    /// Multiplies the property by a value.
    public static func *= (assignment: inout Assignment, value: Value) {
        assignment.set(assignment.current * value)
    }
}

extension Assignment where Value == Bool {
    /// Sets the property to true where it is false, and to false where it is true.
    ///
    /// ```swift
    /// .update { $0.isDone.toggle() }    // SET "is_done" = CASE WHEN "is_done" = $1 THEN $2 ELSE $3 END
    /// ```
    public mutating func toggle() { set(.if(current, then: false, else: true)) }
}

extension Assignment where Value == Bool? {
    /// Sets the property to true where it is false, and to false where it is true; nil stays nil.
    public mutating func toggle() {
        set(QueryExpression<Bool?>.if(current == true, then: false).elseIf(current == false, then: true).else(nil))
    }
}

/// A relation in a bulk update.
public struct RelationAssignment<Target: TableObject> {
    fileprivate let column: Columns<Target>
    fileprivate var value: QueryNode?

    fileprivate init(column: Columns<Target>) { self.column = column }

    /// Sets the target of the relation to a saved object, or to nil.
    ///
    /// ```swift
    /// .update { $0.lead.set(nil) }
    /// ```
    public mutating func set(_ object: Target?) { value = object.map { .key(of: $0) } ?? .null }

    /// Sets the target of the relation to that of a reference, or to nil.
    @_disfavoredOverload
    public mutating func set(_ reference: Reference<Target>?) {
        guard let reference else { return value = .null }
        guard let key = reference.key else {
            let description = Target.ownDescription
            value = .failure(
                DatabaseError(
                    .invalidValue,
                    "An update by a query sets a reference to a new \(description.type), which has no key yet. Save it first.",
                    table: description.table))
            return
        }
        set(key: key)
    }

    /// Sets the target of the relation by its key alone; nothing is fetched.
    ///
    /// ```swift
    /// .update { $0.lead.set(key: 7) }    // SET "lead_id" = $1
    /// ```
    ///
    /// If no row has the key, the update fails with ``DatabaseError/Code/foreignKeyViolation``.
    public mutating func set(key: some KeyConvertible) {
        value = .key(Target.ownDescription.canonical(key._key))
    }
}
