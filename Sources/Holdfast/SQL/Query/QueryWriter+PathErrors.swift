import NearMisses

extension QueryWriter {
    func hasNoPositions(_ path: QueryPath) -> DatabaseError {
        DatabaseError(
            .syntax,
            "A query has a position in brackets after \"\(path.names.joined(separator: "."))\", which is not kept as JSON\(path.location).",
            properties: path.names)
    }

    func unknown(_ path: QueryPath, _ index: Int, in description: TableDescription?) -> DatabaseError {
        let name = index < path.names.count ? path.names[index] : ""
        guard let description else {
            return DatabaseError(
                .syntax,
                "A query names \"\(name)\" of \"\(path.names[..<index].joined(separator: "."))\", which is a value and has no properties\(path.location).",
                properties: [name])
        }
        return description.unknownProperty(name, at: path.location)
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
