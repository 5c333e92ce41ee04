extension QueryWriter {
    func type(of query: QuerySubquery) throws -> ValueType { throw DatabaseError(.unsupported, "Not yet.") }
    func value(of query: QuerySubquery) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
    func exists(_ query: QuerySubquery) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
    func isIn(_ node: QueryNode, _ query: QuerySubquery) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
}
