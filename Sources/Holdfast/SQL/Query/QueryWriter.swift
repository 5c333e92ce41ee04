/// Writes the parts of a query as SQL of a dialect, and checks them against the mappings (decision 0019).
///
/// It writes strictly from left to right, since parameters are numbered in order and some engines only count them.
/// Tables of relations in conditions and orders are joined when they occur; a join has no parameters.
final class QueryWriter {
    let dialect: any Dialect
    let description: TableDescription
    /// The paths into a property kept as JSON that may be asked for; nil for any.
    let declared: DeclaredPaths?
    private(set) var values = ParameterBuffer(width: 0)
    /// The position of the parameter that is the time, once one is.
    private var timePosition: Int?
    private var aliasCount = 0
    private var scopes: [QueryScope: ScopeContent] = [:]
    private var depth = 0
    /// The object that the query is about.
    let root: QueryObject

    /// The start of the paths of a scope.
    enum ScopeContent {
        case object(QueryObject)
        case value(sql: String, ValueType)
    }

    /// How deep conditions may be nested, so that none can exhaust the stack.
    private static let greatestDepth = 500

    init(_ description: TableDescription, dialect: any Dialect, declared: DeclaredPaths?) {
        self.dialect = dialect
        self.description = description
        self.declared = declared
        aliasCount = 1
        let source = dialect.takingTime(at: 1) { description.source(as: "t0", $0) }
        root = QueryObject(description, source: QuerySource(source.sql), alias: "t0")
        scopes[.root] = .object(root)
        scopes[.innermost] = .object(root)
        if source.takesTime { bindTime() }
    }

    /// The parameters of a query that is written.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` where there are too many.
    var parameters: ParameterBuffer {
        get throws {
            try checkValueCount()
            return boundValues
        }
    }

    /// The parameters so far, as the one row that they are.
    private var boundValues: ParameterBuffer {
        var row = ParameterBuffer(width: values.cells.count)
        row.cells = values.cells
        row.bytes = values.bytes
        row.lists = values.lists
        return row
    }

    /// The table of a type as a source of rows, under a name.
    func source(of description: TableDescription, as name: String) -> String {
        timed { description.source(as: name, $0) }
    }

    func makeAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    // MARK: Parameters

    /// Whether what is written is compared for equality alone.
    var looksForEqual = false

    /// Whether a value that was bound before is not bound again, where placeholders have numbers.
    var reusesParameters = false

    /// Where the parameters are, to come back to.
    var mark: (values: ParameterBuffer, timePosition: Int?) { (values, timePosition) }

    /// Forgets what was bound since.
    func reset(to mark: (values: ParameterBuffer, timePosition: Int?)) { (values, timePosition) = mark }

    /// Writes SQL that may name the time; where a clock of the program's tells that, it is bound by the first that
    /// does.
    func timed(_ write: (any Dialect) -> String) -> String {
        let text = dialect.takingTime(at: timePosition ?? nextPosition, write)
        if text.takesTime, timePosition == nil { bindTime() }
        return text.sql
    }

    private func bindTime() {
        timePosition = nextPosition
        values.append(.clockTime)
    }

    /// Binds the one cell of a buffer.
    func bind(_ buffer: ParameterBuffer) -> String {
        if reusesParameters, dialect.placeholder(1) != dialect.placeholder(2), let known = position(of: buffer) {
            return dialect.placeholder(known)
        }
        buffer.withRow(0) { cells in
            if let cell = cells.first { values.append(copying: cell) }
        }
        return dialect.placeholder(values.cells.count)
    }

    func bind(text: String) -> String {
        var text = text
        var buffer = ParameterBuffer(width: 1)
        text.withUTF8 { buffer.append(.text, UnsafeRawBufferPointer($0)) }
        return bind(buffer)
    }

    /// The greatest number of values that a query binds one by one.
    ///
    /// SQLite prepares a statement in a time that grows with the square of it, and libpq takes few more. What one
    /// engine can't do the other is not to do.
    private static let greatestValueCount = 7_000

    /// Refuses a query with more values than can be bound one by one.
    private func checkValueCount() throws {
        guard values.cells.count > Self.greatestValueCount else { return }
        let advice = "Ask for a list of values by `in`, which binds it as one, or split the query."
        throw DatabaseError(
            .invalidValue,
            "A query compares with \(values.cells.count) values one by one, and \(Self.greatestValueCount) are the most. "
                + advice, table: description.table)
    }

    /// The position at which the same value was bound before.
    private func position(of buffer: ParameterBuffer) -> Int? {
        let all = boundValues
        return all.withRow(0) { known in
            buffer.withRow(0) { cells in
                guard let cell = cells.first else { return nil }
                let index = known.firstIndex { other in
                    guard other.kind == cell.kind, other.kind != .list, !other.isClockTime else { return false }
                    return cell.hasBytes
                        ? other.count == cell.count && other.bytes.elementsEqual(cell.bytes)
                        : other.payload == cell.payload
                }
                return index.map { $0 + 1 }
            }
        }
    }

    func bind(list: ParameterBuffer) { values.append(list: list) }

    /// The position of the parameter that is bound next, from 1.
    var nextPosition: Int { values.cells.count + 1 }

    // MARK: Scopes

    /// Lets an object stand for the one that the query is about.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withRoot<Result>(_ object: QueryObject, _ body: () throws -> Result) throws -> Result {
        try withScope(.root, .object(object)) { try withScope(.innermost, .object(object), body) }
    }

    /// Lets an element stand for itself; and in a closure of its own also for what names begin at.
    func withElement<Result>(
        _ scope: QueryScope, _ content: ScopeContent, _ body: () throws -> Result
    ) throws -> Result {
        try withScope(scope, content) { scope.bindsNames ? try withScope(.innermost, content, body) : try body() }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func withScope<Result>(
        _ scope: QueryScope, _ content: ScopeContent, _ body: () throws -> Result
    ) throws -> Result {
        let outer = scopes[scope]
        scopes[scope] = content
        defer { scopes[scope] = outer }
        return try body()
    }

    func content(of scope: QueryScope) throws -> ScopeContent {
        guard let content = scopes[scope] else {
            throw DatabaseError(
                .invalidValue,
                "A condition uses an element outside of the closure that it was given to. Use it only there.")
        }
        return content
    }

    func nested<Result>(_ body: () throws -> Result) throws -> Result {
        guard depth < Self.greatestDepth else { throw DatabaseError.nestedTooDeeply }
        depth += 1
        defer { depth -= 1 }
        return try body()
    }
}

/// The tables of one SELECT.
final class QuerySource {
    private let first: String
    private var joins: [String] = []

    init(_ first: String) { self.first = first }

    func join(_ clause: String) { joins.append(clause) }

    /// The tables and joins after FROM.
    var sql: String { ([first] + joins).joined(separator: " ") }
}

/// An object that a query leads to: where its columns are.
final class QueryObject {
    let description: TableDescription
    let source: QuerySource
    /// The name of its table in the query; nil until it is joined.
    private(set) var alias: String?
    /// The key, where it is to be had without the object's own table: in a reference, or in a join table.
    private let keyElsewhere: [String]?
    /// The property that the reference to it holds in place of its key, and where that is.
    private let alternate: (property: Int, sql: String)?
    /// Whether there may be no such object.
    let isNullable: Bool
    private var references: [Int: QueryObject] = [:]

    init(_ description: TableDescription, source: QuerySource, alias: String) {
        self.description = description
        self.source = source
        self.alias = alias
        (keyElsewhere, alternate) = (nil, nil)
        isNullable = false
    }

    init(_ description: TableDescription, source: QuerySource, key: [String], isNullable: Bool) {
        self.description = description
        self.source = source
        (keyElsewhere, alternate) = (key, nil)
        self.isNullable = isNullable
    }

    /// An element of a join table, which leads to objects that may have expired: those are no elements.
    static func element(
        _ description: TableDescription, source: QuerySource, key: [String], _ writer: QueryWriter
    ) -> QueryObject {
        let object = QueryObject(description, source: source, key: key, isNullable: false)
        if description.expiry != nil { _ = object.table(writer, join: "JOIN") }
        return object
    }

    /// Whether the columns elsewhere that hold its key say all of it: not where it may have expired.
    private var isKnownByKey: Bool { description.expiry == nil }

    init(
        _ description: TableDescription, source: QuerySource, alternate: (property: Int, sql: String), isNullable: Bool
    ) {
        self.description = description
        self.source = source
        (keyElsewhere, self.alternate) = (nil, alternate)
        self.isNullable = isNullable
    }

    func qualified(_ column: String, _ writer: QueryWriter) -> String {
        "\(table(writer)).\(writer.dialect.quoted(column))"
    }

    /// The columns of the primary key.
    func key(_ writer: QueryWriter) -> [String] {
        if isKnownByKey, let keyElsewhere { return keyElsewhere }
        return description.keyColumns.map { qualified($0, writer) }
    }

    /// The column of a property.
    func column(_ property: Int, _ writer: QueryWriter) -> String? {
        if isKnownByKey {
            if let keyElsewhere, let part = description.keyIndices.firstIndex(of: property) {
                return keyElsewhere[part]
            }
            if let alternate, alternate.property == property { return alternate.sql }
        }
        return description.properties[property].columnName.map { qualified($0, writer) }
    }

    /// The columns that a reference to it holds: the key, or the unique property in its place.
    func held(by reference: Relation?, _ writer: QueryWriter) -> [String] {
        reference?.alternate.flatMap { column($0, writer) }.map { [$0] } ?? key(writer)
    }

    /// The name of its table, which is joined if it was not.
    func table(_ writer: QueryWriter, join: String = "LEFT JOIN") -> String {
        if let alias { return alias }
        let alias = writer.makeAlias()
        self.alias = alias
        let columns = alternate.flatMap { description.properties[$0.property].columnName }.map { [$0] }
        let matches = zip(columns ?? description.keyColumns, keyElsewhere ?? alternate.map { [$0.sql] } ?? [])
            .map { "\(alias).\(writer.dialect.quoted($0)) = \($1)" }
            .joined(separator: " AND ")
        source.join("\(join) \(writer.source(of: description, as: alias)) ON \(matches)")
        return alias
    }

    /// The object that a reference leads to.
    func reference(_ relation: Relation, _ writer: QueryWriter) throws -> QueryObject {
        if let known = references[relation.property] { return known }
        let target = relation.target.description
        let object: QueryObject
        switch relation.storage {
        case .reference(let columns):
            let canBeNull = isNullable || description.properties[relation.property].isNullable || target.expiry != nil
            let held = columns.map { qualified($0, writer) }
            if let alternate = relation.alternate {
                object = QueryObject(
                    target, source: source, alternate: (alternate, held[0]), isNullable: canBeNull)
            } else {
                object = QueryObject(target, source: source, key: held, isNullable: canBeNull)
            }
        case .inverseReference(let property, let columns):
            // The other side holds the key; of several that do, the first by its own key is meant.
            let (inner, dialect) = (writer.makeAlias(), writer.dialect)
            let keys = target.keyColumns.map { "\(inner).\(dialect.quoted($0))" }
            let held = held(by: target.columns.relation(property), writer)
            let matches = zip(columns, held).map { "\(inner).\(dialect.quoted($0)) = \($1)" }
            let parts = keys.map { part in
                "(SELECT \(part) FROM \(writer.source(of: target, as: inner)) "
                    + "WHERE \(matches.joined(separator: " AND ")) ORDER BY \(keys.joined(separator: ", ")) LIMIT 1)"
            }
            object = QueryObject(target, source: source, key: parts, isNullable: true)
        case .joinTable, .inverseJoinTable:
            throw DatabaseError(
                .unsupported, "\"\(relation.name)\" of \(description.type) is an array, not one object.")
        }
        references[relation.property] = object
        return object
    }
}

/// The type and nullability of a value, known before it is written.
struct ValueType {
    /// The type of the column; nil for a value that fits any type, such as a literal.
    var type: ColumnType?
    var storage = ValueStorage.native
    var isNullable = false
    /// The form of text in its column, which is read as a value of the type.
    var textForm: TextForm?
    /// Whether it is a literal, which takes the type of the value that it is compared or computed with.
    var isValue = false
    /// Whether it is inside a document, and compared as it is written.
    var isInDocument = false
    /// The property that it is, for errors.
    var property: (name: String, table: String)?
}

extension ValueType {
    /// The type of a property, or of the elements of an array property, in a query.
    init(
        of property: PropertyMapping, _ type: ColumnType, isNullable: Bool, in table: String, _ dialect: any Dialect
    ) {
        self.init(
            type: property.textForm?.type ?? type, storage: property.queryStorage, isNullable: isNullable,
            textForm: property.textForm, property: (property.name, table))
        // Where columns have no such types, the text is a text like others.
        if isOfColumnType, dialect.text(ofColumnType: "") == nil { textForm = nil }
    }

    /// Whether it has a type that only the engine knows, and the engine compares it by that type.
    var isOfColumnType: Bool { textForm == .ofColumnType }
}
