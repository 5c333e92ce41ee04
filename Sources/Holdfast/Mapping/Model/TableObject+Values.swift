extension TableObject {
    /// Creates an object from a dictionary of property names and values.
    ///
    /// ```swift
    /// let project = try Project(values: ["name": "Apollo", "budget": 1_000, "status": "planned", "note": nil])
    /// try await db.save(project)
    /// ```
    ///
    /// A value is of its property's type, or converts to it without loss: a whole number to another type of number, a
    /// raw value to an enum, an array of such values. Values are rounded to what their columns hold, as a save does.
    ///
    /// A ``Reference`` is given as such, as a ``Key`` or as the value of one; nothing is asked of the database.
    ///
    /// A property without a value gets its default. In a struct only a default that is a literal or a static member
    /// is known; other optional properties are nil. Relations that hold objects get their defaults too; set them
    /// afterwards.
    ///
    /// - Parameter values: The values, by the Swift names of the properties; nil for an optional property.
    /// - Throws: ``DatabaseError/Code/syntax`` for a name that is no property, ``DatabaseError/Code/invalidValue`` for
    ///   a value that does not fit or is missing, ``DatabaseError/Code/unsupported`` for a relation that holds objects.
    ///   The error names the property.
    public init(values: [String: Any?]) throws {
        self = try Self.ownMapping.making(values, from: .dictionary)
    }

    /// Sets properties from a dictionary of their names and values: all of them, or none if one can't be set.
    ///
    /// ```swift
    /// try point.setValues(["x": 3, "y": 4])
    /// ```
    ///
    /// Values convert as in ``init(values:)``. The primary key can be set while it is nil.
    ///
    /// - Throws: The errors of ``init(values:)``; ``DatabaseError/Code/conflict`` if a key, a ``Version()`` or a `let`
    ///   would change. The value is unchanged then.
    public mutating func setValues(_ values: [String: Any?]) throws {
        try Self.ownMapping.set(values, from: .dictionary, in: &self)
    }

    /// Sets properties of an object whose class is known only now.
    fileprivate static func set(_ values: [String: Any?], in object: Any) throws {
        if var object = object as? Self { try ownMapping.set(values, from: .dictionary, in: &object) }
    }
}

extension TableObject where Self: AnyObject {
    /// Sets properties from a dictionary of their names and values: all of them, or none if one can't be set.
    ///
    /// ```swift
    /// try project.setValues(["name": "Gemini", "budget": 2_000, "note": nil])
    /// try await db.save(project)
    /// ```
    ///
    /// Values convert as in ``init(values:)``. Properties that hold something else then count as changed.
    ///
    /// - Throws: The errors of ``init(values:)``; ``DatabaseError/Code/conflict`` if the key of a saved object, a
    ///   ``Version()`` or a `let` would change. The object is unchanged then.
    public func setValues(_ values: [String: Any?]) throws {
        let type = type(of: self as Any)
        if type != Self.self, let type = type as? any TableObject.Type { return try type.set(values, in: self) }
        var object = self
        try Self.ownMapping.set(values, from: .dictionary, in: &object)
    }
}
