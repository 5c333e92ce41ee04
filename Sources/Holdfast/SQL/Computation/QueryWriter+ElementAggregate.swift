extension QueryWriter {
    func type(of aggregate: ElementAggregate) throws -> ValueType { throw DatabaseError(.unsupported, "Not yet.") }
    func elementAggregate(_ aggregate: ElementAggregate) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
}
