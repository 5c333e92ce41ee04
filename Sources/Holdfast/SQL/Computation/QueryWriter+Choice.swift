extension QueryWriter {
    func type(of choice: QueryChoice) throws -> ValueType { throw DatabaseError(.unsupported, "Not yet.") }
    func choice(_ choice: QueryChoice, _ wanted: ValueType) throws -> String { throw DatabaseError(.unsupported, "Not yet.") }
}
