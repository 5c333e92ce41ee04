@_spi(Driver) import Holdfast

/// Puts the rows of the catalogs together: pure.
struct SchemaAssembly {
    /// The rows of each kind, by their owner.
    private let rows: [String: [String: [SchemaCatalogRow]]]

    init(_ parts: [String: [SchemaCatalogRow]]) {
        rows = parts.mapValues { Dictionary(grouping: $0, by: \.owner) }
    }

    func schema(named name: String) -> DatabaseSchema {
        var schema = DatabaseSchema(name: name)
        schema.tables = all("table").map(table)
        schema.views = all("view").compactMap(view)
        schema.enumerations = grouped("enum").map { name, rows in
            var enumeration = DatabaseSchema.Enumeration(name: name)
            enumeration.values = rows.map(\.name).filter { !$0.isEmpty }
            return enumeration
        }
        schema.domains = all("domain").map { row in
            var domain = DatabaseSchema.Domain(name: row.owner, typeName: row.texts[0] ?? "")
            domain.isNullable = !row.flags.contains("!")
            domain.defaultExpression = row.texts[1]
            domain.checks = checks("domain check", of: row.owner)
            return domain
        }
        return schema
    }

    /// The rows of a kind that has one for each owner.
    private func all(_ kind: String) -> [SchemaCatalogRow] { grouped(kind).flatMap(\.rows) }

    private func grouped(_ kind: String) -> [(owner: String, rows: [SchemaCatalogRow])] {
        (rows[kind] ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { (owner: $0.key, rows: $0.value) }
    }

    /// The rows of a kind and an owner, by their name, each in the order of positions.
    private func parts(_ kind: String, of owner: String) -> [(name: String, rows: [SchemaCatalogRow])] {
        Dictionary(grouping: rows[kind]?[owner] ?? [], by: \.name)
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { (name: $0.key, rows: $0.value) }
    }

    private func table(_ row: SchemaCatalogRow) -> DatabaseSchema.Table {
        let kind: DatabaseSchema.Table.Kind =
            switch row.texts[0] {
            case "p": .partitioned
            case "f": .foreign
            default: .ordinary
            }
        var table = DatabaseSchema.Table(name: row.owner, kind: kind)
        table.partitionOf = row.texts[1]
        (table.rowEstimate, table.bytes) = (row.numbers[0], row.numbers[1])
        func constraints(_ kind: String) -> [DatabaseSchema.UniqueConstraint] {
            parts(kind, of: row.owner).map { name, rows in .init(name: name, columns: rows.compactMap { $0.texts[0] }) }
        }
        table.primaryKey = constraints("primary key").first
        table.uniqueConstraints = constraints("unique")
        table.columns = columns(of: row.owner, key: table.primaryKey?.columns ?? [])
        table.indexes = parts("index", of: row.owner).map(index)
        table.foreignKeys = parts("foreign key", of: row.owner).map(foreignKey)
        table.checks = checks("check", of: row.owner)
        for (name, rows) in parts("trigger", of: row.owner) {
            table.triggers.append(name)
            guard let source = rows.first?.texts[0] else { continue }
            table.triggerColumns[name] = PostgresDialect().columns(ofDeleteRule: source)
            if rows.first?.flags == "i" { table.idleTriggers.insert(name) }
        }
        for (name, rows) in parts("trigger column", of: row.owner) {
            table.triggerColumns[name, default: []] += rows.compactMap { $0.texts[0] }
        }
        return table
    }

    private func view(_ row: SchemaCatalogRow) -> DatabaseSchema.View? {
        guard var definition = row.texts[2] else { return nil }
        if definition.hasSuffix(";") { definition.removeLast() }
        definition.trimPrefix { $0 == " " }
        var view = DatabaseSchema.View(name: row.owner, definition: definition)
        view.isMaterialized = row.texts[0] == "m"
        view.columns = columns(of: row.owner, key: [])
        return view
    }

    private func columns(of owner: String, key: [String]) -> [DatabaseSchema.Column] {
        (rows["column"]?[owner] ?? []).map { row in
            var column = DatabaseSchema.Column(name: row.name, typeName: row.texts[0] ?? "")
            column.isNullable = !row.flags.contains("!")
            column.collation = row.texts[2]
            column.keyPosition = key.firstIndex { $0.utf8.elementsEqual(row.name.utf8) }
            // The first letter is that of the type; then come those of the column.
            switch row.flags.first {
            case "e": (column.typeKind, column.type) = (.enumeration, .text)
            case "d": (column.typeKind, column.type) = (.domain, ColumnType(catalog: row.texts[3]))
            default: column.type = ColumnType(catalog: row.texts[3])
            }
            let flags = row.flags.dropFirst()
            if flags.contains(where: { $0 == "s" || $0 == "v" }) {
                column.generated = .init(expression: row.texts[1] ?? "", isStored: flags.contains("s"))
            } else {
                column.defaultExpression = row.texts[1]
            }
            column.identity = flags.contains("A") ? .always : flags.contains("D") ? .byDefault : nil
            if flags.contains("#"), column.identity == nil { column.identity = .serial }
            return column
        }
    }

    private func index(_ name: String, _ rows: [SchemaCatalogRow]) -> DatabaseSchema.Index {
        var index = DatabaseSchema.Index(name: name)
        for row in rows {
            // A collation is the last of the flags, as any letter can be in its name.
            let flags = row.flags.prefix { $0 != "c" }
            index.isUnique = flags.contains("u")
            index.isValid = flags.contains("v")
            index.condition = row.texts[2]
            index.method = row.texts[3] ?? ""
            if flags.contains("i") {
                index.includedColumns.append(row.texts[0] ?? "")
                continue
            }
            var term =
                row.texts[0].map(DatabaseSchema.Index.Term.init(column:)) ?? .init(expression: row.texts[1] ?? "")
            term.isDescending = flags.contains("d")
            term.isNullsFirst = flags.contains("f")
            if flags.endIndex < row.flags.endIndex { term.collation = String(row.flags[flags.endIndex...].dropFirst()) }
            index.terms.append(term)
        }
        if name.hasPrefix(SearchIndex.namePrefix) {
            index.expressionColumns = index.terms.compactMap(\.expression).flatMap(PostgresSearch.columns)
        }
        return index
    }

    private func foreignKey(_ name: String, _ rows: [SchemaCatalogRow]) -> DatabaseSchema.ForeignKey {
        var key = DatabaseSchema.ForeignKey(name: name, table: rows.first?.texts[2] ?? "")
        key.schema = rows.first?.texts[3]
        key.columns = rows.compactMap { $0.texts[0] }
        key.targetColumns = rows.compactMap { $0.texts[1] }
        let actions = rows.first.map { $0.flags.map(String.init) } ?? []
        if actions.count == 2 {
            (key.onDelete, key.onUpdate) = (.init(catalog: actions[0]), .init(catalog: actions[1]))
        }
        return key
    }

    private func checks(_ kind: String, of owner: String) -> [DatabaseSchema.Check] {
        parts(kind, of: owner).compactMap { name, rows in
            rows.first?.texts[0].map { expression in
                var check = DatabaseSchema.Check(name: name, expression: expression)
                check.column = rows.first?.texts[1]
                return check
            }
        }
    }
}

extension ColumnType {
    /// The type as which columns of one of the server's own types are read; nil for a type that is only read as text.
    fileprivate init?(catalog name: String?) {
        guard let name, let type = Self.byCatalogName[name] else { return nil }
        self = type
    }

    private static let byCatalogName = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { type in type.catalogNames.map { ($0, type) } })

    private var catalogNames: [String] {
        switch self {
        case .boolean: ["bool"]
        case .int16: ["int2"]
        case .int32: ["int4"]
        case .int64: ["int8", "oid"]
        case .float: ["float4"]
        case .double: ["float8"]
        case .decimal: ["numeric"]
        case .text: ["text", "varchar", "bpchar", "char", "name", "xml"]
        case .blob: ["bytea"]
        case .timestamp: ["timestamptz", "timestamp", "date"]
        case .uuid: ["uuid"]
        case .json: ["json", "jsonb"]
        }
    }
}

extension ForeignKeyDefinition.Action {
    /// Reads `confdeltype` or `confupdtype`.
    fileprivate init(catalog letter: String) {
        self =
            switch letter {
            case "c": .cascade
            case "n": .setNull
            case "d": .setDefault
            case "r": .restrict
            default: .noAction
            }
    }
}
