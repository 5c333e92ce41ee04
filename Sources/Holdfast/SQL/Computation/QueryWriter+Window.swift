extension QueryWriter {
    func type(of window: QueryWindow) throws -> ValueType { throw DatabaseError(.unsupported, "Not yet.") }
    func window(_ window: QueryWindow) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
}
