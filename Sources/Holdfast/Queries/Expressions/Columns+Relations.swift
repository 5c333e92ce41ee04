/// Properties that are kept as JSON, relations and arrays.
extension Columns {
    /// A property that is kept as JSON, whose type has ``JSONObject()``.
    ///
    /// ```swift
    /// $0.profile.address.city == "Bonn"
    /// ```
    public subscript<Value: JSONObjectType>(dynamicMember keyPath: KeyPath<Model, Value>) -> JSONColumns<Value> {
        let expression: QueryExpression<Value> = expression(keyPath)
        return JSONColumns(place: JSONPlace(document: expression.node))
    }

    /// An optional property that is kept as JSON, whose type has ``JSONObject()``.
    public subscript<Value: JSONObjectType>(dynamicMember keyPath: KeyPath<Model, Value?>) -> JSONColumns<Value> {
        let expression: QueryExpression<Value> = expression(keyPath)
        return JSONColumns(place: JSONPlace(document: expression.node))
    }

    /// The target of a relation.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of an optional relation; if the relation is nil, so are the properties behind it.
    ///
    /// ```swift
    /// $0.lead.lastName == "Smith"    // LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id" …
    /// ```
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, Target?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of a lazy reference.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>>) -> Columns<Target> {
        columns(keyPath)
    }

    /// The target of an optional lazy reference.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, Reference<Target>?>) -> Columns<Target> {
        columns(keyPath)
    }

    /// An array of values.
    ///
    /// ```swift
    /// $0.tags.contains("moon")    // t0."id" IN (SELECT … FROM "project_tags" …)
    /// ```
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]>) -> ValueArrayColumn<Element> {
        array(keyPath)
    }

    /// An optional array of values.
    public subscript<Element: Storable>(dynamicMember keyPath: KeyPath<Model, [Element]?>) -> ValueArrayColumn<Element>
    {
        array(keyPath)
    }

    /// An array of objects.
    ///
    /// ```swift
    /// $0.meetings.contains { $0.minutes > 60 }    // t0."id" IN (SELECT … FROM "project_meetings" …)
    /// ```
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An optional array of objects.
    public subscript<Target: TableObject>(dynamicMember keyPath: KeyPath<Model, [Target]?>) -> ObjectArrayColumn<Target>
    {
        relation(keyPath)
    }

    /// An array of lazy references.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, [Reference<Target>]>) -> ObjectArrayColumn<Target> {
        relation(keyPath)
    }

    /// An optional array of lazy references.
    public subscript<Target>(dynamicMember keyPath: KeyPath<Model, [Reference<Target>]?>) -> ObjectArrayColumn<Target> {
        relation(keyPath)
    }
}

extension Columns {
    private func columns<Target>(_ keyPath: AnyKeyPath) -> Columns<Target> {
        let (path, failure, _) = step(keyPath)
        return Columns<Target>(path, failure: failure)
    }

    private func array<Element>(_ keyPath: AnyKeyPath) -> ValueArrayColumn<Element> {
        let (path, failure, storage) = step(keyPath)
        return ValueArrayColumn(path: path, failure: failure, storage: storage)
    }

    private func relation<Target>(_ keyPath: AnyKeyPath) -> ObjectArrayColumn<Target> {
        let (path, failure, _) = step(keyPath)
        return ObjectArrayColumn(path: path, failure: failure)
    }
}
