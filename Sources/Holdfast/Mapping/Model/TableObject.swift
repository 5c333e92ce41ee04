/// A type whose instances are stored in a table.
///
/// `@Table` adds the conformance to a class or a struct.
///
/// Use an instance on one isolation at a time, like any other class or struct; it need not be `Sendable`.
public protocol TableObject: ArrayElement {
    /// The root class of a hierarchy; for other types, the type itself.
    associatedtype _HierarchyRoot: TableObject = Self

    /// How the type is kept in its table.
    static var tableMapping: TableMapping<_HierarchyRoot> { get }

    /// The order of objects where a query or fetch says none: by primary key, unless the type declares another.
    ///
    /// ```swift
    /// static let defaultOrder: [Ordering] = [.descending("startDate"), .ascending("name")]
    /// ```
    ///
    /// Objects that are equal in this order are ordered by primary key. It does not apply to arrays, which keep their
    /// own order. A subclass overrides it: `override class var defaultOrder: [Ordering] { […] }`.
    static var defaultOrder: [Ordering] { get }
}

extension TableObject {
    public static var defaultOrder: [Ordering] { [] }
}

extension TableObject {
    static var ownDescription: TableDescription {
        // Outside of hierarchies without a cast, since everything that meets a key or a reference asks.
        _HierarchyRoot.self == Self.self ? tableMapping.description : ownMapping.description
    }

    /// The mapping of this very type, of which ``tableMapping`` shows a class in a hierarchy only the top.
    static var ownMapping: TableMapping<Self> {
        let mapping = tableMapping
        return mapping as? TableMapping<Self> ?? mapping.subclassMapping as? TableMapping<Self>
            ?? .missing(declaredBy: mapping.description.type)
    }
}

extension TableObject {
    /// Whether an object, whose class is known only now, is new or changed.
    fileprivate static func isDirty(_ object: Any) -> Bool {
        guard let object = object as? Self else { return true }
        let mapping = ownMapping
        var isDirty = true
        mapping.changes?(object) { tracker in
            mapping.settle(object, &tracker)
            isDirty = tracker.state != .persisted || !tracker.dirty.isEmpty
        }
        return isDirty
    }
}

extension TableObject where Self: AnyObject {
    /// Whether the instance is new, or has properties that differ from what was last saved or fetched.
    ///
    /// ```swift
    /// project.name = "Gemini"
    /// project.isDirty    // true
    /// project.name = "Apollo"    // what it was
    /// project.isDirty    // false
    /// ```
    ///
    /// Always true for a class whose mapping does not track changes.
    public var isDirty: Bool {
        let type = type(of: self as Any)
        if type != Self.self, let type = type as? any TableObject.Type { return type.isDirty(self) }
        return Self.isDirty(self)
    }

    /// Marks every property but the key as changed, so that the next save writes all of them.
    public func makeDirty() {
        let mapping = Self.ownMapping
        mapping.changes?(self) { tracker in
            tracker.takeReplaced(mapping.description)
            let mask = mapping.description.nonKeyMask.subtracting(tracker.unloaded)
            tracker.dirty.formUnion(mask)
            tracker.forgetOriginals(of: mask)
        }
    }

    /// Whether a property was loaded; true for every property of a new object.
    ///
    /// ```swift
    /// if !project.isLoaded(\.related) { try await db.loadRelation(\.related, of: project) }
    /// ```
    ///
    /// A reference to one object that was set counts as loaded, whatever it was before. The key that it has if it was
    /// not loaded is what `key(of:)` returns.
    public func isLoaded<Value>(_ property: KeyPath<Self, Value>) -> Bool {
        let mapping = Self.ownMapping
        guard let index = mapping.description.index(ofKeyPath: property) else { return true }
        var isLoaded = true
        mapping.changes?(self) { tracker in
            tracker.takeReplaced(mapping.description)
            isLoaded = !tracker.unloaded.contains(index)
        }
        return isLoaded
    }

    /// The value of a property, which has to be loaded.
    ///
    /// A property that was not loaded reads as its default: as nil, or as an empty array. This function throws instead:
    ///
    /// ```swift
    /// for related in try project.loaded(\.related) { print(related.name) }
    /// // notLoaded: "related" of Project is read at App/Page.swift:12, and was not loaded. …
    /// ```
    ///
    /// - Parameters:
    ///   - property: Any property; for one that is not kept in the database, its value.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/notLoaded``.
    public func loaded<Value>(
        _ property: KeyPath<Self, Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> Value {
        if isLoaded(property) { return self[keyPath: property] }
        let description = Self.ownDescription
        let name = description.properties[try description.requiredIndex(of: property)].name
        throw DatabaseError(
            .notLoaded,
            "\"\(name)\" of \(description.type) is read at \(CallSite(fileID, line)), and was not loaded. Load it first, by `including` of the fetch, `loadRelation` or `reload`.",
            table: description.table, properties: [name])
    }
}

// A property whose type is a table object is a relation: one object, or with an array many. What a row or an encoder
// does with it is not a matter of the object's own columns, so it is handed to whoever loads or saves the graph.

extension TableObject {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        .reference(RelationTarget(Self.self), isNullable: false)
    }

    public static func _arrayShape(_ storage: ValueStorage) -> PropertyShape? {
        .objects(RelationTarget(Self.self), isOptional: false)
    }

    @inlinable
    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        try row.relatedObject(at: index)
    }

    @inlinable
    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        row.relatedObjects(at: index)
    }

    @inlinable
    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { !row.hasRelatedObject(at: index) }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try value.map { try ownMapping.keyRows(of: CollectionOfOne($0)) } }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _originalArray(_ array: [Self]?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try array.map { try ownMapping.keyRows(of: $0) } }
    }
}
