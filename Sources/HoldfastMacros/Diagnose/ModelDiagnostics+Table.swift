import SwiftDiagnostics
import SwiftSyntax
import NearMisses

extension ModelDiagnostics {
    /// Finds what is wrong with the arguments of `@Table`, and with its columns taken together.
    mutating func checkTable() {
        if let schema = model.table.schema { checkName(schema, of: "schema") }
        if let name = model.table.name { checkName(name, of: "table") }
        if let indexes = model.table.indexes { checkIndexes(indexes) }
        if let checks = model.table.checks { checkChecks(checks) }
        if let search = model.table.search { checkSearch(search) }
        if let scopes = model.table.scopes { checkScopes(scopes) }
        checkColumnNames()
        checkTimestamps()
        checkVersions()
        checkExpiries()
    }

    /// A name in SQL must be there to read, and not empty.
    mutating func checkName(_ name: ExprSyntax, of what: String) {
        guard let text = name.constantString else {
            report(
                "literal",
                at: name,
                "the name of a \(what) must be a string literal without interpolation: write it here"
            )
            return
        }
        if text.isEmpty {
            report("emptyName", at: name, "the name of a \(what) can't be empty: write one, or leave the argument out")
        }
    }

    /// Columns must differ by more than case, or SQLite takes them for one.
    private mutating func checkColumnNames() {
        var owners: [String: ModelProperty] = [:]
        for property in model.persisted {
            guard let column = columnName(of: property), !column.isEmpty else { continue }
            guard let owner = owners.updateValue(property, forKey: column.lowercased()) else { continue }
            owners[column.lowercased()] = owner
            // A reference may have its key in the column of another property.
            if column == columnName(of: owner), property.mayShareColumn != owner.mayShareColumn { continue }
            report(
                "duplicateColumn",
                at: property.marker(.column)?.columnName.map(Syntax.init) ?? Syntax(property.name),
                "'\(property.plainName)' and '\(owner.plainName)' would share the column '\(column)': give one of them another name with '@Column(\"…\")'"
            )
        }
    }

    /// A table has one column for each kind of time.
    private mutating func checkTimestamps() {
        var owners: [String: ModelProperty] = [:]
        for property in model.persisted {
            guard let marker = property.marker(.timestamp), let kind = marker.timestampKind else { continue }
            guard let owner = owners.updateValue(property, forKey: kind) else { continue }
            owners[kind] = owner
            report(
                "duplicateTimestamp",
                at: marker.attribute,
                "'\(owner.plainName)' holds the \(kind) time already: remove '@Timestamp' from '\(property.plainName)'",
                fix: .remove(marker.attribute, "Remove '@Timestamp'")
            )
        }
    }

    /// An object is gone from one instant on.
    private mutating func checkExpiries() {
        let properties = model.persisted.filter { $0.marker(.expires) != nil }
        guard let owner = properties.first else { return }
        for property in properties.dropFirst() {
            guard let marker = property.marker(.expires) else { continue }
            report(
                "duplicateExpires",
                at: marker.attribute,
                "'\(owner.plainName)' holds when an object expires already: remove '@Expires' from '\(property.plainName)'",
                fix: .remove(marker.attribute, "Remove '@Expires'")
            )
        }
    }

    /// One version counts all updates of a row.
    private mutating func checkVersions() {
        let versions = model.persisted.filter { $0.marker(.version) != nil }
        guard let owner = versions.first else { return }
        for property in versions.dropFirst() {
            guard let marker = property.marker(.version) else { continue }
            report(
                "duplicateVersion",
                at: marker.attribute,
                "'\(owner.plainName)' counts the updates already: remove '@Version' from '\(property.plainName)'",
                fix: .remove(marker.attribute, "Remove '@Version'")
            )
        }
    }

    private func columnName(of property: ModelProperty) -> String? {
        guard !property.isInverse else { return nil }
        if let marker = property.marker(.column) {
            if marker.columnNames != nil { return nil }
            if let given = marker.columnName { return given.constantString }
        }
        return model.table.columnName?(property.plainName)
    }
}

// MARK: - Indexes

extension ModelDiagnostics {
    private mutating func checkIndexes(_ indexes: ExprSyntax) {
        guard let array = indexes.as(ArrayExprSyntax.self) else {
            report(
                "indexes",
                at: indexes,
                "the macro must see the indexes: write them here, such as '[.index(\"name\"), .unique(\"code\", \"owner\")]'"
            )
            return
        }
        for element in array.elements { checkIndex(element.expression) }
    }

    private mutating func checkIndex(_ expression: ExprSyntax) {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let function = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            ["index", "unique"].contains(function)
        else {
            report(
                "index",
                at: expression,
                "the macro must see each index: write '.index(\"name\")' or '.unique(\"name\")' here"
            )
            return
        }
        // Not `filter`: that of a syntax collection copies the tree, and an error on a copy has no line.
        let names = call.arguments.compactMap { $0.label == nil ? $0.expression : nil }
        if names.isEmpty {
            report(
                "emptyIndex",
                at: expression,
                "an index covers at least one property: name it, such as '.\(function)(\"name\")'"
            )
        }
        var seen: Set<String> = []
        for name in names {
            if name.termFunction == "expression" { continue }
            if name.termFunction == "json" {
                // Several paths into one property may be in an index.
                guard let property = name.termArgument, let text = property.constantString else { continue }
                checkIndexedName(text, at: property)
                continue
            }
            let name = name.termFunction == "descending" ? name.termArgument ?? name : name
            guard let text = name.constantString else {
                report(
                    "indexLiteral",
                    at: name,
                    "the macro must see the properties of an index: name them by string literals"
                )
                continue
            }
            if seen.insert(text).inserted {
                checkIndexedName(text, at: name)
            } else {
                report("indexRepeats", at: name, "'\(text)' is in this index already: remove it")
            }
        }
    }

    /// The properties that are searched are texts.
    private mutating func checkSearch(_ search: ExprSyntax) {
        guard let array = search.as(ArrayExprSyntax.self) else {
            report(
                "search", at: search,
                "the macro must see the properties of a search: write their names here, such as '[\"title\", \"body\"]'"
            )
            return
        }
        if array.elements.isEmpty {
            report("emptySearch", at: search, "a search covers at least one property: name it, such as '[\"title\"]'")
        }
        var seen: Set<String> = []
        for element in array.elements {
            let name = element.expression
            guard let text = name.constantString else {
                report(
                    "searchLiteral", at: name,
                    "the macro must see the properties of a search: name them by string literals")
                continue
            }
            guard seen.insert(text).inserted else {
                report("searchRepeats", at: name, "'\(text)' is in this search already: remove it")
                continue
            }
            checkIndexedName(text, at: name)
            guard let property = model.properties.first(where: { $0.plainName == text }), property.lackOfColumn == nil,
                let type = property.wrappedType?.trimmedDescription, Self.otherTypes.contains(type)
            else { continue }
            report(
                "searchedType", at: name,
                "'\(text)' is of type '\(type)', and only texts can be searched: remove it from the search")
        }
    }

    /// Types of which it is plain to see that they are no texts; of others, the library tells when it makes the
    /// mapping.
    private static let otherTypes: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Float", "Double", "Decimal",
        "Date", "Data", "UUID",
    ]

    private mutating func checkIndexedName(_ name: String, at node: ExprSyntax) {
        if let property = model.properties.first(where: { $0.plainName == name }) {
            guard let reason = property.lackOfColumn else { return }
            report("indexedName", at: node, "'\(name)' \(reason), so it can't be indexed: remove it from the index")
            return
        }
        // It may be inherited; the library looks when it makes the mapping.
        guard model.superclass == nil else { return }
        let column = model.persisted.first { columnName(of: $0) == name }
        let candidates = column.map { [$0.plainName] } ?? nearMisses(of: name, among: model.persisted.map(\.plainName))
        let advice =
            candidates.isEmpty
            ? "write the name of a property as it is declared"
            : "did you mean \(candidates.map { "'\($0)'" }.joined(separator: " or "))?"
        report(
            "indexedName",
            at: node,
            "'\(model.plainName)' has no property '\(name)': \(advice)",
            fix: candidates.first.map { .replace(node, by: "\"\($0)\"", "Replace '\(name)' by '\($0)'") }
        )
    }
}

extension ExprSyntax {
    /// The function of a term of an index that is not a name: `descending` of `.descending("name")`.
    fileprivate var termFunction: String? {
        self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    /// The argument of such a term.
    fileprivate var termArgument: ExprSyntax? { self.as(FunctionCallExprSyntax.self)?.arguments.first?.expression }
}

extension ModelProperty {
    /// Whether it may be a reference with a column that is named, as far as its declaration shows.
    fileprivate var mayShareColumn: Bool {
        guard marker(.column)?.columnName != nil, !isArray, let wrappedType else { return false }
        return !wrappedType.isValue && !hasValueMarker
    }

    /// Whether a marker says that it is no relation.
    private var hasValueMarker: Bool {
        [.primaryKey, .timestamp, .version, .expires].contains { marker($0) != nil } || marker(.column)?.storage != nil
    }

    /// Why there is no column to index; nil if there may be one.
    fileprivate var lackOfColumn: String? {
        guard isPersisted else { return "is not stored" }
        if isInverse { return "has no column, since the objects at its other side hold the key" }
        return isArray ? "is an array, which has a table of its own" : nil
    }
}
