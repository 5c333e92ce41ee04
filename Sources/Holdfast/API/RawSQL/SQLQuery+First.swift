extension SQLQuery {
    /// Runs the statement and returns its first row; nil if there is none.
    ///
    /// ```swift
    /// let row = try await db.sql("SELECT name, city FROM customer ORDER BY name LIMIT 1").first()
    /// ```
    ///
    /// Add ORDER BY and LIMIT to the statement yourself.
    public func first() async throws -> SQLRow? { try await rows(1).first }

    /// Runs the statement and returns its only row.
    ///
    /// ```swift
    /// let row = try await db.sql("SELECT name, city FROM customer WHERE id = \(7)").one()
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several. Changes that the statement made are not undone.
    public func one() async throws -> SQLRow { try only(of: try await rows(2)) }

    /// Runs a statement with one column and returns the value of its first row; nil if there is none.
    ///
    /// ```swift
    /// let name = try await db.sql("SELECT name FROM customer ORDER BY visits DESC").first(as: String.self)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns differs, or the value does not fit.
    public func first<Value: Storable>(as type: Value.Type) async throws -> Value? {
        try await first().map { try Self.value(of: $0) }
    }

    /// Runs a statement with one column and returns the value of its only row.
    ///
    /// ```swift
    /// let version = try await db.sql("SHOW server_version").one(as: String.self)
    /// ```
    ///
    /// - Throws: The errors of ``one()``; ``DatabaseError/Code/decoding`` if the number of columns differs, or the
    ///   value does not fit.
    public func one<Value: Storable>(as type: Value.Type) async throws -> Value { try Self.value(of: try await one()) }

    /// Runs the statement and returns its first row as a tuple; nil if there is none.
    ///
    /// ```swift
    /// let first = try await db.sql("SELECT name, visits FROM customer").first(as: (String, Int).self)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns differs, or a value does not fit.
    public func first<each Value: Storable>(as type: (repeat each Value).Type) async throws -> (repeat each Value)? {
        try await first().map { try Self.tuple(of: $0) }
    }

    /// Runs the statement and returns its only row as a tuple.
    ///
    /// ```swift
    /// let (count, sum) = try await db.sql("SELECT count(*), sum(visits) FROM customer").one(as: (Int, Int?).self)
    /// ```
    ///
    /// - Throws: The errors of ``one()``; ``DatabaseError/Code/decoding`` if the number of columns differs, or a value
    ///   does not fit.
    public func one<each Value: Storable>(as type: (repeat each Value).Type) async throws -> (repeat each Value) {
        try Self.tuple(of: try await one())
    }

    /// Runs the statement and decodes its first row by column names, as declared or in snake case; nil if there is
    /// none.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    @_disfavoredOverload
    public func first<Value: Decodable>(as type: Value.Type) async throws -> Value? {
        try await first().map { try SQLRowDecoder.decode(Value.self, from: $0) }
    }

    /// Runs the statement and decodes its only row by column names, as declared or in snake case.
    ///
    /// - Throws: The errors of ``one()``; ``DatabaseError/Code/decoding`` if a column is missing or a value does not
    ///   fit.
    @_disfavoredOverload
    public func one<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try SQLRowDecoder.decode(Value.self, from: try await one())
    }

    /// Runs the statement and returns its first row as an object, with what a fetch loads; nil if there is none.
    ///
    /// ```swift
    /// let first = try await db.sql("SELECT * FROM \(Project.self) ORDER BY name LIMIT 1").first(Project.self)
    /// ```
    ///
    /// The statement must return every column of the type's table. All its rows become objects, so add a LIMIT.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    public func first<Model: TableObject>(_ type: Model.Type) async throws -> Model? { try await fetch(type).first }

    /// Runs the statement and returns its only row as an object, with what a fetch loads.
    ///
    /// The statement must return every column of the type's table.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several; ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    public func one<Model: TableObject>(_ type: Model.Type) async throws -> Model {
        try only(of: try await fetch(type))
    }

    private func rows(_ limit: Int) async throws -> [SQLRow] { try await read { try Self.rows(of: $0, limit: limit) } }

    private func only<Element>(of found: [Element]) throws -> Element {
        if found.count == 1 { return found[0] }
        throw DatabaseError(
            found.isEmpty ? .notFound : .conflict,
            "The statement returned \(found.isEmpty ? "no row" : "more than one row")."
        ).called(at: access.site)
    }

    /// The only value of a row.
    static func value<Value: Storable>(of row: SQLRow) throws -> Value {
        try row.requireColumns(1)
        return try row.decode(Value.self, at: 0)
    }

    /// The values of a row, column by column.
    static func tuple<each Value: Storable>(of row: SQLRow) throws -> (repeat each Value) {
        var position = 0
        func next<Next: Storable>(_ type: Next.Type) throws -> Next {
            defer { position += 1 }
            return try row.decode(Next.self, at: position)
        }
        let values = (repeat try next((each Value).self))
        try row.requireColumns(position)
        return values
    }
}
