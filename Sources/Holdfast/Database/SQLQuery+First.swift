extension SQLQuery {
    /// Runs the statement, and gives its first row; nil of none.
    ///
    /// The statement says what comes first, by its ORDER BY, and how much is read, by its LIMIT.
    public func first() async throws -> SQLRow? { try await rows(1).first }

    /// Runs the statement, and gives its only row.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several. What a statement has written by then, it has written.
    public func one() async throws -> SQLRow { try Self.only(of: try await rows(2)) }

    /// Runs the statement, which returns one column, and gives the value of its first row; nil of none.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns is another, or the value does not fit.
    public func first<Value: Storable>(as type: Value.Type) async throws -> Value? {
        try await first().map { try Self.value(of: $0) }
    }

    /// Runs the statement, which returns one column, and gives the value of its only row.
    ///
    /// ```swift
    /// let version = try await db.sql("SHOW server_version").one(as: String.self)
    /// ```
    ///
    /// - Throws: What ``one()`` throws; ``DatabaseError/Code/decoding`` if the number of columns is another, or the
    ///   value does not fit.
    public func one<Value: Storable>(as type: Value.Type) async throws -> Value { try Self.value(of: try await one()) }

    /// Runs the statement, and gives its first row as a tuple, column by column; nil of none.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns is another, or a value does not fit.
    public func first<each Value: Storable>(as type: (repeat each Value).Type) async throws -> (repeat each Value)? {
        try await first().map { try Self.tuple(of: $0) }
    }

    /// Runs the statement, and gives its only row as a tuple, column by column.
    ///
    /// - Throws: What ``one()`` throws; ``DatabaseError/Code/decoding`` if the number of columns is another, or a
    ///   value does not fit.
    public func one<each Value: Storable>(as type: (repeat each Value).Type) async throws -> (repeat each Value) {
        try Self.tuple(of: try await one())
    }

    /// Runs the statement, and decodes its first row by the names of its columns, as they are or in snake case; nil
    /// of none.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    @_disfavoredOverload
    public func first<Value: Decodable>(as type: Value.Type) async throws -> Value? {
        try await first().map { try SQLRowDecoder.decode(Value.self, from: $0) }
    }

    /// Runs the statement, and decodes its only row by the names of its columns, as they are or in snake case.
    ///
    /// - Throws: What ``one()`` throws; ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    @_disfavoredOverload
    public func one<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try SQLRowDecoder.decode(Value.self, from: try await one())
    }

    /// Runs the statement, and gives its first row as an object, with what it leads to; nil of none.
    ///
    /// It has to return every column of the type's table; the objects of all its rows are made, so let it have a LIMIT.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    public func first<Model: TableObject>(_ type: Model.Type) async throws -> Model? { try await fetch(type).first }

    /// Runs the statement, and gives its only row as an object, with what it leads to.
    ///
    /// It has to return every column of the type's table.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several; ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    public func one<Model: TableObject>(_ type: Model.Type) async throws -> Model {
        try Self.only(of: try await fetch(type))
    }

    private func rows(_ limit: Int) async throws -> [SQLRow] { try await read { try Self.rows(of: $0, limit: limit) } }

    private static func only<Element>(of found: [Element]) throws -> Element {
        guard let only = found.first else { throw DatabaseError(.notFound, "The statement returned no row.") }
        guard found.count == 1 else { throw DatabaseError(.conflict, "The statement returned more than one row.") }
        return only
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
