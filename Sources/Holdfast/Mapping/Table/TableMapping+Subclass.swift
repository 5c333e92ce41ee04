extension TableMapping {
    /// Stands for the mapping of a subclass, where the class at the top of its hierarchy is all that a requirement can
    /// name.
    ///
    /// - Parameter subclass: The mapping of a class that inherits from `Model`.
    public init<Subclass>(of subclass: TableMapping<Subclass>) {
        description = subclass.description
        let decode: @Sendable (borrowing Row) throws -> Model = { row in
            guard let model = try subclass.decode(row) as? Model else { throw Self.foreign(subclass.description) }
            return model
        }
        let encode: @Sendable (Model, inout RowEncoder) throws -> Void = { model, encoder in
            guard let model = model as? Subclass else { throw Self.foreign(subclass.description) }
            try subclass.encode(model, &encoder)
        }
        let assign: @Sendable (inout Model, borrowing Row) throws -> Void = { model, row in
            guard var object = model as? Subclass else { throw Self.foreign(subclass.description) }
            try subclass.assign(&object, row)
        }
        var changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
        if let ofSubclass = subclass.changes {
            changes = { @Sendable model, body in
                if let model = model as? Subclass { ofSubclass(model, body) }
            }
        }
        functions = MappingFunctions(
            decode: decode, encode: encode, assign: assign, changes: changes, subclassMapping: subclass)
    }

    /// The mapping of a type that inherits its conformance, and says nothing of itself.
    static func missing(declaredBy type: String) -> TableMapping {
        let name = String(describing: Model.self)
        let problem = DatabaseError(
            .conflict,
            "\(name) has no mapping of its own, only that of \(type). Mark it `@Table(inherits: \(type).self)`.")
        return TableMapping(problem: problem, type: name)
    }

    private init(problem: DatabaseError, type: String) {
        description = TableDescription(
            type: type, table: TableName(type), formerTables: [], isClass: true, isTracked: false, properties: [],
            hasGeneratedKey: false,
            indexes: [],
            problems: [problem])
        functions = MappingFunctions(
            decode: { _ in throw problem }, encode: { _, _ in throw problem }, assign: { _, _ in throw problem })
    }

    private static func foreign(_ description: TableDescription) -> DatabaseError {
        DatabaseError(
            .conflict, "An object of another class was given where \(description.type) is kept.",
            table: description.table)
    }
}
