extension TableObject {
    /// Creates an object from JSON that somebody has sent: the way back from ``json(including:omitting:)``.
    ///
    /// ```swift
    /// // POST {"name":"Apollo","status":"planned","lead":7}
    /// let project = try Project(json: body, allowing: [\.name, \.status, \.lead])
    /// try await db.save(project)
    /// ```
    ///
    /// Members have the names of properties. A property that is not sent gets its default, as by ``init(values:)``.
    /// Each kind of property takes what that function writes, and nothing else: no string for a number, and no 1.5 or
    /// 300 for an `Int8`.
    ///
    /// | property | JSON |
    /// |---|---|
    /// | an integer | a number without a fraction, in the range of the type |
    /// | `Decimal` | a number, of which no digit is lost |
    /// | an enum | the raw value of one of its cases |
    /// | `Date` | `"2026-11-21T09:30:00Z"`, with a fraction of a second or an offset such as `+01:00` as you like |
    /// | `Data` | a string, in base 64 |
    /// | a `Codable` value | what its type decodes |
    /// | an optional | also `null`, for nil |
    /// | ``JSON`` | anything; `null` is a value of its own unless the property is optional |
    /// | ``Reference`` | the key: a number or a string, an array if it has several parts; no statement is run |
    ///
    /// What leads to objects themselves (`Person?`, `[Person]`) can't be set: declare it as a ``Reference``, or find
    /// the object. `setValues` accepts the key of a `Person?` if it is the one that the object has.
    ///
    /// - Parameters:
    ///   - json: An object, such as the body of a request: `JSON(parsing:)` reads it.
    ///   - properties: The properties that the sender may set. A ``Version()`` is never set.
    /// - Throws: ``DatabaseError/Code/invalidValue``, with the property, for a member that is none of these or has
    ///   another kind of value, and for a property that has no default and is not sent;
    ///   ``DatabaseError/Code/staleVersion`` for a ``Version()`` that is not the initial one.
    ///   ``DatabaseError/httpStatus`` is 422, and 409. No error has a value in it.
    public init(json: JSON, allowing properties: [PartialKeyPath<Self>]) throws {
        let names = try Self.ownDescription.names(of: properties)
        self = try Self.ownMapping.making(of: json, allowing: names)
    }

    /// Sets the properties that JSON has, as ``init(json:allowing:)`` reads it: all of them, or none if one can't be
    /// set.
    ///
    /// ```swift
    /// try point.setValues(json: body, allowing: [\.x, \.y])
    /// ```
    public mutating func setValues(json: JSON, allowing properties: [PartialKeyPath<Self>]) throws {
        try Self.ownMapping.set(json, allowing: try Self.ownDescription.names(of: properties), in: &self)
    }

    /// Sets properties of an object whose class is known only now.
    fileprivate static func set(_ json: JSON, allowing names: Set<String>, in object: Any) throws {
        if var object = object as? Self { try ownMapping.set(json, allowing: names, in: &object) }
    }
}

extension TableObject where Self: AnyObject {
    /// Sets the properties that JSON has, as ``TableObject/init(json:allowing:)`` reads it: all of them, or none if one
    /// can't be set.
    ///
    /// ```swift
    /// // PATCH {"status":"done","lead":null}
    /// try project.setValues(json: body, allowing: [\.name, \.status, \.lead])
    /// try await db.save(project)    // UPDATE "project" SET "status" = $1, "lead_id" = NULL WHERE "id" = $3
    /// ```
    ///
    /// As a merge patch (RFC 7396) of the object: a member sets a property, `null` sets nil, and what is not sent stays
    /// as it is. A value replaces the one that was there, also where both are objects.
    ///
    /// The key, the ``Version()`` and the key of a reference to an object may be sent, too, if they are what the object
    /// has: so may all of an object whose other members are allowed. If the version is another one, the sender has seen
    /// what has changed since.
    ///
    /// - Parameters:
    ///   - json: An object, such as the body of a request.
    ///   - properties: The properties that the sender may set.
    /// - Throws: The errors of ``TableObject/init(json:allowing:)``; ``DatabaseError/Code/invalidValue`` also if the
    ///   key of a saved object or a `let` would change, ``DatabaseError/Code/staleVersion`` for another version than
    ///   the object's. The object is unchanged then.
    public func setValues(json: JSON, allowing properties: [PartialKeyPath<Self>]) throws {
        let names = try Self.ownDescription.names(of: properties)
        let type = type(of: self as Any)
        if type != Self.self, let type = type as? any TableObject.Type {
            return try type.set(json, allowing: names, in: self)
        }
        var object = self
        try Self.ownMapping.set(json, allowing: names, in: &object)
    }
}

extension TableDescription {
    /// The names of properties, which subclasses share.
    fileprivate func names(of keyPaths: [AnyKeyPath]) throws -> Set<String> {
        Set(try keyPaths.map { properties[try requiredIndex(of: $0)].name })
    }
}
