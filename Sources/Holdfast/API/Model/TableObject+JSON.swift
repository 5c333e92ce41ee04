extension TableObject {
    /// The object as JSON, for an answer of a web service: a value that may leave the object's isolation.
    ///
    /// ```swift
    /// try project.json()
    /// // {"id":1,"name":"Apollo","lead":7,"members":[7,9]}
    /// try project.json(including: ["lead", "members.team"], omitting: [\.budget])
    /// // {"id":1,"name":"Apollo","lead":{"id":7,"name":"Ann","team":3},"members":[{"id":7,…,"team":{"id":3,…}},…]}
    /// ```
    ///
    /// Members have the names of the properties, in their order. An object that a relation leads to is its key, unless
    /// a path names the relation; so circles end. A reference that was not loaded is its key, too: the row has it. What
    /// else was not loaded is left out, such as an array with `inverse:` that no load has named.
    ///
    /// | property | JSON |
    /// |---|---|
    /// | a truth value, a number, a `Decimal` | with all digits |
    /// | text, an enum | a string, or what its raw value is |
    /// | `UUID`, `URL` | a string |
    /// | `Date` | `"2026-11-21T09:30:00.000000Z"`, but as it is stored where its column holds another kind of text |
    /// | `Data` | a string, in base 64 |
    /// | a `Codable` value, or ``JSON`` | as it is stored |
    /// | an object | its key: a number or a string, an array if it has several parts; null while it is new |
    ///
    /// - Parameters:
    ///   - paths: The relations whose objects are shown, and not only their keys, if they were loaded.
    ///   - omitted: Properties of this type that are left out, here and wherever it occurs in the JSON.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a path that is no relation, and for a value that no column can
    ///   hold, such as a NaN.
    public func json(
        including paths: RelationPaths = [], omitting omitted: [PartialKeyPath<Self>] = []
    ) throws -> JSON {
        let description = Self.ownDescription
        try paths.validate(from: description)
        let indices = try omitted.map { try description.requiredIndex(of: $0) }
        let writer = ObjectJSON(omitting: PropertyMask(indices), of: description)
        return try JSON(parsing: try writer.text(of: self, paths.root))
    }
}

extension Page {
    /// The page as JSON: its objects as ``TableObject/json(including:omitting:)`` has them, and the token of the next
    /// page.
    ///
    /// ```swift
    /// let page = try await db.query(Project.self).page(size: 50, after: cursor)
    /// try page.json(total: try await db.query(Project.self).count(), link: "/projects?status=open")
    /// // {"objects":[{"id":1,…},…],"next":"AQIAAAAA…","total":1043,
    /// //  "links":{"first":"/projects?status=open","next":"/projects?status=open&after=AQIAAAAA…",
    /// //           "self":"/projects?status=open"}}
    /// ```
    ///
    /// - Parameters:
    ///   - paths: The relations whose objects are shown, and not only their keys.
    ///   - omitted: Properties that are left out.
    ///   - total: The number of objects on all pages, if you have counted them.
    ///   - link: The link to this page: path and query of the request. With it, there are links to this page, to the
    ///     first and to the next, which is null on the last.
    ///   - parameter: The name of the parameter of links that has the token.
    public func json(
        including paths: RelationPaths = [], omitting omitted: [PartialKeyPath<Model>] = [], total: Int? = nil,
        link: String? = nil, parameter: String = "after"
    ) throws -> JSON {
        var members: [String: JSON] = [
            "objects": JSON(try objects.map { try $0.json(including: paths, omitting: omitted) }),
            "next": next.map { JSON(string: $0.token) } ?? .null,
        ]
        if let total { members["total"] = JSON(total) }
        if let link {
            members["links"] = JSON([
                "self": JSON(string: link), "first": JSON(string: PageLink(link, without: parameter).text()),
                "next": nextLink(from: link, parameter: parameter).map { JSON(string: $0) } ?? .null,
            ])
        }
        return JSON(members)
    }
}
