/// The tables of one SELECT.
final class QuerySource {
    private let first: String
    private var joins: [String] = []

    init(_ first: String) { self.first = first }

    var hasJoins: Bool { !joins.isEmpty }

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
    private(set) var isNullable: Bool
    /// The objects that its references lead to, as far as they were asked for.
    var references: [Int: QueryObject] = [:]

    init(_ description: TableDescription, source: QuerySource, alias: String, isNullable: Bool = false) {
        self.description = description
        self.source = source
        self.alias = alias
        (keyElsewhere, alternate) = (nil, nil)
        self.isNullable = isNullable
    }

    /// Writes the condition by which its table is joined: there, it is no object that may not be there.
    func asJoined(_ write: () throws -> String) rethrows -> String {
        guard isNullable else { return try write() }
        isNullable = false
        defer { (isNullable, references) = (true, [:]) }
        return try write()
    }

    init(_ description: TableDescription, source: QuerySource, key: [String], isNullable: Bool) {
        self.description = description
        self.source = source
        (keyElsewhere, alternate) = (key, nil)
        self.isNullable = isNullable
    }

    /// Whether the columns elsewhere that hold its key say all of it: not where it may be gone.
    private var isKnownByKey: Bool { !description.hidesRows }

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

    /// The name of its table, which is joined if it was not.
    func table(_ writer: QueryWriter, join: String = "LEFT JOIN", _ seen: SeenRows = SeenRows()) -> String {
        if let alias { return alias }
        let alias = writer.makeAlias()
        self.alias = alias
        let columns = alternate.flatMap { description.properties[$0.property].columnName }.map { [$0] }
        let matches = zip(columns ?? description.keyColumns, keyElsewhere ?? alternate.map { [$0.sql] } ?? [])
            .map { "\(alias).\(writer.dialect.quoted($0)) = \($1)" }
            .joined(separator: " AND ")
        source.join("\(join) \(writer.source(of: description, as: alias, seen)) ON \(matches)")
        return alias
    }
}

extension QueryObject {
    /// The columns of properties, from its table.
    /// - Parameter mask: The properties whose columns are selected; nil for what a load selects.
    func columnList(_ mask: PropertyMask?, _ writer: QueryWriter) -> String {
        let table = self.table(writer)
        return writer.timed { dialect in
            let columns =
                mask.map { description.selectedColumns($0, from: table, isQualified: true, dialect) }
                ?? description.loadedColumns(from: table, isQualified: true, dialect)
            return columns.joined(separator: ", ")
        }
    }
}
