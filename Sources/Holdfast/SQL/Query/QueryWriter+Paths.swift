import NearMisses

extension QueryWriter {
    /// The target of a path.
    enum Location {
        /// A value of its own.
        case value(ValueType)
        /// An object: one that a relation leads to, or what the scope is about.
        case object(TableDescription, isNullable: Bool)
        /// An array: of values, or of objects.
        case array(owner: TableDescription, property: Int)
        /// Something inside of the elements of an array, whose path is the first so many names.
        case insideArray(Int)
        /// Something inside of a property that is kept as JSON, whose path is the first so many names.
        case insideDocument(Int)
    }

    /// How many steps a path may have, each of which is a join.
    private static var greatestPath: Int { 60 }

    /// Finds out what a path leads to, without writing anything.
    func locate(_ path: QueryPath) throws -> Location {
        guard path.names.count <= Self.greatestPath else {
            throw DatabaseError(.syntax, "A query has a path of more than \(Self.greatestPath) names.")
        }
        let location = try locateNames(path)
        if !path.tail.isEmpty {
            // What is inside of the elements of an array is looked at when that is what the path begins at.
            switch location {
            case .insideDocument, .insideArray: break
            case .value, .object, .array: throw hasNoPositions(path)
            }
        }
        return location
    }

    private func locateNames(_ path: QueryPath) throws -> Location {
        let start: QueryObject
        switch try content(of: path.scope) {
        case .value(_, let type):
            guard path.names.isEmpty else { throw unknown(path, 0, in: nil) }
            return .value(type)
        case .object(let object): start = object
        }
        var (description, isNullable) = (start.description, start.isNullable)
        for (index, name) in path.names.enumerated() {
            guard let property = description.index(ofProperty: name) else {
                throw unknown(path, index, in: description)
            }
            let isLast = index == path.names.count - 1
            let mapping = description.properties[property]
            switch mapping.shape {
            case .column(let type, _):
                if !isLast || !path.tail.isEmpty, type == .json, mapping.textForm == nil, !mapping.storage.isArray {
                    return .insideDocument(index + 1)
                }
                guard isLast else { throw unknown(path, index + 1, in: nil) }
                return .value(
                    ValueType(
                        of: mapping, type, isNullable: isNullable || mapping.isNullable, in: description.table,
                        dialect))
            case .array, .objects:
                return isLast ? .array(owner: description, property: property) : .insideArray(index + 1)
            case .reference(let target, _):
                let isInverse = description.columns.relation(property)?.isInverse ?? false
                isNullable = isNullable || mapping.isNullable || isInverse || target.description.expiry != nil
                description = target.description
            }
        }
        return .object(description, isNullable: isNullable)
    }

    private func hasNoPositions(_ path: QueryPath) -> DatabaseError {
        DatabaseError(
            .syntax,
            "A query has a position in brackets after \"\(path.names.joined(separator: "."))\", which is not kept as JSON\(path.location).",
            properties: path.names)
    }

    private func unknown(_ path: QueryPath, _ index: Int, in description: TableDescription?) -> DatabaseError {
        let name = index < path.names.count ? path.names[index] : ""
        guard let description else {
            return DatabaseError(
                .syntax,
                "A query names \"\(name)\" of \"\(path.names[..<index].joined(separator: "."))\", which is a value and has no properties\(path.location).",
                properties: [name])
        }
        return description.unknownProperty(name, at: path.location)
    }

    /// The object at the end of a path of references.
    func object(at path: some Sequence<String>, in scope: QueryScope) throws -> QueryObject {
        guard case .object(var object) = try content(of: scope) else {
            throw DatabaseError(.invalidValue, "An element that is a value has no properties.")
        }
        for name in path {
            guard let property = object.description.index(ofProperty: name),
                let relation = object.description.columns.relation(property)
            else { throw DatabaseError(.invalidValue, "\"\(name)\" of \(object.description.type) is no relation.") }
            object = try object.reference(relation, self)
        }
        return object
    }

    /// Writes the column that a path to a value leads to.
    func column(_ path: QueryPath) throws -> String {
        guard let last = path.names.last else {
            guard case .value(let sql, _) = try content(of: path.scope) else {
                throw DatabaseError(.invalidValue, "An object is no value.")
            }
            return sql
        }
        let object = try object(at: path.names.dropLast(), in: path.scope)
        guard let property = object.description.index(ofProperty: last), let sql = object.column(property, self) else {
            throw DatabaseError(.invalidValue, "\"\(last)\" of \(object.description.type) has no column.")
        }
        return sql
    }
}

extension QueryPath {
    /// Where it is in condition text, for the end of a message.
    var location: String { position.map { ", at character \($0 + 1)" } ?? "" }
}

extension TableDescription {
    /// The error of a name that is no property's, with those that are much the same.
    ///
    /// - Parameter location: Its position in a text, for the message.
    func unknownProperty(_ name: String, at location: String = "") -> DatabaseError {
        let near = nearMisses(of: name, among: properties.map(\.name))
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return DatabaseError(
            .syntax, "A query names \"\(name)\", which is no property of \(type)\(location).\(hint)", table: table,
            properties: [name])
    }
}
