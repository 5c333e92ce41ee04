// A type that is no ``Storable`` but Codable is kept as JSON, and an array of such a type has a join table of JSON.
// These overloads lose to those for ``PropertyValue``. The same four stand for `Row.decode` and `RowEncoder.encode`, so
// that the three sites agree on what a property is. A type that can't be stored at all is refused here, by unavailable
// overloads that give the sentence; the other two sites take it, so that it is one error and not four. The default of
// an optional is doubly optional, or Swift finds the overload for optionals no better than the general one.

extension TableMappingBuilder {
    /// Refuses a type that has raw values, and would be found by them, but was not declared Storable: as JSON, a text
    /// would be kept in quotation marks.
    private mutating func refuseRawValues<Value>(of type: Value.Type, _ property: String) {
        guard let type = type as? any RawRepresentable.Type, type.hasStorableRawValue else { return }
        problems.append(
            DatabaseError(
                .conflict,
                "\"\(property)\" of \(self.type) has a type with raw values. Declare `\(Value.self): Storable`, so that it is kept as its raw value.",
                table: table, properties: [property]))
    }

    /// Adds a property of a `Codable` type, to be kept as JSON.
    @_disfavoredOverload
    public mutating func property<Value: Codable & SendableMetatype>(
        _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {
        refuseRawValues(of: Value.self, name)
        add(
            name, options, defaultValue.map { JSONValue($0) }, identity: keyPath, isKey: false,
            read: { JSONValue($0[keyPath: keyPath]) },
            write: WritableProperty(keyPath).map { property in
                { property.set($1.value, in: &$0) }
            })
    }

    /// Adds an optional property of a `Codable` type, to be kept as JSON.
    @_disfavoredOverload
    public mutating func property<Value: Codable & SendableMetatype>(
        _ name: String, _ keyPath: any KeyPath<Model, Value?> & Sendable, _ options: PropertyOption...,
        default defaultValue: Value?? = nil
    ) {
        refuseRawValues(of: Value.self, name)
        add(
            name, options, (defaultValue ?? nil).map { JSONValue($0) }, identity: keyPath, isKey: false,
            read: { $0[keyPath: keyPath].map { JSONValue($0) } },
            write: WritableProperty(keyPath).map { property in
                { property.set($1?.value, in: &$0) }
            })
    }

    /// Adds an array of a `Codable` type, whose elements are kept as JSON.
    @_disfavoredOverload
    public mutating func property<Element: Codable & SendableMetatype>(
        _ name: String, _ keyPath: any KeyPath<Model, [Element]> & Sendable, _ options: PropertyOption...,
        default defaultValue: [Element]? = nil
    ) {
        refuseRawValues(of: Element.self, name)
        add(
            name, options, nil, identity: keyPath, isKey: false,
            read: { $0[keyPath: keyPath].map { JSONValue($0) } },
            write: WritableProperty(keyPath).map { property in
                { property.set($1.map(\.value), in: &$0) }
            })
    }

    /// Adds an optional array of a `Codable` type, whose elements are kept as JSON.
    @_disfavoredOverload
    public mutating func property<Element: Codable & SendableMetatype>(
        _ name: String, _ keyPath: any KeyPath<Model, [Element]?> & Sendable, _ options: PropertyOption...,
        default defaultValue: [Element]?? = nil
    ) {
        refuseRawValues(of: Element.self, name)
        add(
            name, options, nil, identity: keyPath, isKey: false,
            read: { $0[keyPath: keyPath]?.map { JSONValue($0) } },
            write: WritableProperty(keyPath).map { property in
                { property.set($1?.map(\.value), in: &$0) }
            })
    }

    @available(
        *, unavailable,
        message:
            "An enum that is kept must be Storable: write `enum Priority: String, Storable`, or mark the property @Transient."
    )
    @_disfavoredOverload
    public mutating func property<Value: RawRepresentable>(
        _ name: String, _ keyPath: KeyPath<Model, Value>, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {}

    @available(
        *, unavailable,
        message:
            "An enum that is kept must be Storable: write `enum Priority: String, Storable`, or mark the property @Transient."
    )
    @_disfavoredOverload
    public mutating func property<Value: RawRepresentable>(
        _ name: String, _ keyPath: KeyPath<Model, Value?>, _ options: PropertyOption...,
        default defaultValue: Value?? = nil
    ) {}

    @available(
        *, unavailable,
        message:
            "An enum that is kept must be Storable: write `enum Priority: String, Storable`, or mark the property @Transient."
    )
    @_disfavoredOverload
    public mutating func property<Value: RawRepresentable>(
        _ name: String, _ keyPath: KeyPath<Model, [Value]>, _ options: PropertyOption...,
        default defaultValue: [Value]? = nil
    ) {}

    @available(
        *, unavailable,
        message:
            "A property that is kept must be of a Storable or Codable type, an optional of one, or an array. Conform its type, or mark the property @Transient."
    )
    @_disfavoredOverload
    public mutating func property<Value>(
        _ name: String, _ keyPath: KeyPath<Model, Value>, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {}

    @available(
        *, unavailable,
        message:
            "A primary key is an Int64? that the engine makes, or a whole number, String, UUID or other KeyValue of the caller's."
    )
    @_disfavoredOverload
    public mutating func key<Value>(
        _ name: String, _ keyPath: KeyPath<Model, Value>, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {}

    @available(
        *, unavailable,
        message:
            "A primary key that the database makes is an optional of a whole number, String, UUID or other KeyValue: it is nil until the object is saved."
    )
    @_disfavoredOverload
    public mutating func key<Value>(
        _ name: String, _ keyPath: KeyPath<Model, Value>, madeBy source: KeySource, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {}
}

extension RawRepresentable {
    fileprivate static var hasStorableRawValue: Bool { RawValue.self is any Storable.Type }
}
