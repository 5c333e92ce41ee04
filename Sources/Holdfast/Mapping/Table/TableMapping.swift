/// How a Swift type is kept in a table: what `@Table` makes, and what can be written by hand.
///
/// By hand, for a type that can't be annotated, name the properties by key paths and say how to make an instance:
///
/// ```swift
/// extension Point: TableObject {
///     static let tableMapping: TableMapping<Point> = .init(
///         type: "Point",
///         describe: { table in
///             table.key("name", \.name)
///             table.property("x", \.x)
///             table.property("y", \.y, .column("ordinate"))
///         },
///         decode: { row in
///             Point(name: try row.decode(at: 0), x: try row.decode(at: 1), y: try row.decode(at: 2))
///         })
/// }
/// ```
///
/// Key paths then also encode and assign. `@Table` writes `encode` and `assign` out instead, which is faster. A class mapped
/// by hand without `changes` is not tracked: it is saved whole, as structs are.
///
/// A mapping that contradicts itself does not trap: each operation with it throws ``DatabaseError/Code/conflict``.
public struct TableMapping<Model>: Sendable {
    /// The type-independent part: names, properties, key, indexes.
    public let description: TableDescription
    let decode: @Sendable (borrowing Row) throws -> Model
    let encode: @Sendable (Model, inout RowEncoder) throws -> Void
    let assign: @Sendable (inout Model, borrowing Row) throws -> Void
    let accessors: [TableMappingBuilder<Model>.Accessor]
    let changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
    let loops: ObjectLoops<Model>
    /// The mapping of the subclass that this one stands for, with its own type.
    let subclassMapping: (any Sendable)?

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - type: The name of the Swift type, of which the table's name is made.
    ///   - table: The table's name, where it is another.
    ///   - naming: How names in the database are made of Swift names.
    ///   - indexes: Indexes and unique keys over several properties.
    ///   - describe: Names the properties; their order is that of the positions in the other closures.
    ///   - decode: Makes an instance of a row.
    ///   - encode: Encodes each property at its position; nil to read them through their key paths.
    ///   - assign: Sets each property that the row contains; nil to write them through their key paths.
    ///   - changes: Lends the instance's change tracker; nil if it has none, and is saved whole.
    @inlinable
    public init(
        type: String,
        table: String? = nil,
        naming: Naming = .snakeCase,
        indexes: [TableIndex] = [],
        describe: (inout TableMappingBuilder<Model>) -> Void,
        decode: @escaping @Sendable (borrowing Row) throws -> Model,
        encode: (@Sendable (Model, inout RowEncoder) throws -> Void)? = nil,
        assign: (@Sendable (inout Model, borrowing Row) throws -> Void)? = nil,
        changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)? = nil
    ) {
        var loops: ObjectLoops<Model>?
        if let encode, let assign {
            loops = ObjectLoops(decode: decode, encode: encode, assign: assign, changes: changes)
        }
        self.init(
            type: type, table: table, naming: naming, indexes: indexes, describe: describe, decode: decode,
            encode: encode, assign: assign, changes: changes, loops: loops)
    }

    @usableFromInline
    init(
        type: String,
        table: String?,
        naming: Naming,
        indexes: [TableIndex],
        describe: (inout TableMappingBuilder<Model>) -> Void,
        decode: @escaping @Sendable (borrowing Row) throws -> Model,
        encode: (@Sendable (Model, inout RowEncoder) throws -> Void)?,
        assign: (@Sendable (inout Model, borrowing Row) throws -> Void)?,
        changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?,
        loops: ObjectLoops<Model>?
    ) {
        var builder = TableMappingBuilder<Model>(type: type, table: table, naming: naming)
        describe(&builder)
        let accessors = builder.accessors
        self.description = builder.build(indexes: indexes, isTracked: changes != nil)
        self.decode = decode
        self.changes = changes
        self.subclassMapping = nil
        self.accessors = accessors
        let encode =
            encode ?? { model, encoder in
                for accessor in accessors { try accessor.encode(model, &encoder) }
            }
        let assign =
            assign ?? { model, row in
                for (index, accessor) in accessors.enumerated() where row.contains(index) {
                    try accessor.assign(&model, row)
                }
            }
        self.encode = encode
        self.assign = assign
        self.loops = loops ?? ObjectLoops(decode: decode, encode: encode, assign: assign, changes: changes)
    }
}

extension TableMapping {
    /// Stands for the mapping of a subclass, where the class at the top of its hierarchy is all that a requirement can name.
    ///
    /// - Parameter subclass: The mapping of a class that inherits from `Model`.
    public init<Subclass>(of subclass: TableMapping<Subclass>) {
        description = subclass.description
        decode = { row in
            guard let model = try subclass.decode(row) as? Model else { throw Self.foreign(subclass.description) }
            return model
        }
        encode = { model, encoder in
            guard let model = model as? Subclass else { throw Self.foreign(subclass.description) }
            try subclass.encode(model, &encoder)
        }
        assign = { model, row in
            guard var object = model as? Subclass else { throw Self.foreign(subclass.description) }
            try subclass.assign(&object, row)
        }
        if let changes = subclass.changes {
            self.changes = { @Sendable model, body in
                if let model = model as? Subclass { changes(model, body) }
            }
        } else {
            changes = nil
        }
        loops = ObjectLoops(decode: decode, encode: encode, assign: assign, changes: changes)
        accessors = []
        subclassMapping = subclass
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
            type: type, table: type, isClass: true, isTracked: false, properties: [], hasGeneratedKey: false,
            indexes: [],
            problems: [problem])
        decode = { _ in throw problem }
        encode = { _, _ in throw problem }
        assign = { _, _ in throw problem }
        changes = nil
        loops = ObjectLoops(decode: decode, encode: encode, assign: assign, changes: changes)
        accessors = []
        subclassMapping = nil
    }

    private static func foreign(_ description: TableDescription) -> DatabaseError {
        DatabaseError(
            .conflict, "An object of another class was given where \(description.type) is kept.",
            table: description.table)
    }
}
