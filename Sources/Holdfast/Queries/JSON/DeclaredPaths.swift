import NearMisses

/// The paths into a property kept as JSON by which a query may look, and the types of what is there.
///
/// Positions in arrays are left out: what is declared of `orders.sku` holds for `orders[0].sku`.
package struct DeclaredPaths: Sendable {
    /// What is at a path.
    package enum Kind: Sendable {
        /// A text.
        case text
        /// A truth value.
        case boolean
        /// A number without a fraction.
        case integer
        /// A number.
        case number
        /// Anything, in which any path may be asked for.
        case anything
    }

    /// The property.
    let property: String
    /// The database's table that has them: what declares them has a name that may be a user's.
    private let table: String
    private let kinds: [[String]: Kind]
    /// The declared paths and those that lead to them.
    private let known: Set<[String]>
    /// The error of a path that is none.
    let failure: DatabaseError?

    /// Creates a declaration; the queries that have it throw for a path that is none.
    package init(_ paths: some Sequence<(String, Kind)>, of property: String, in table: String) {
        (self.property, self.table) = (property, table)
        var (kinds, known, failure) = ([[String]: Kind](), Set<[String]>(), DatabaseError?.none)
        for (text, kind) in paths {
            do {
                let names = try JSONPath(text).names
                kinds[names] = kind
                for count in 0...names.count { known.insert(Array(names.prefix(count))) }
            } catch { failure = failure ?? (error as? DatabaseError) ?? JSONPath.malformed }
        }
        (self.kinds, self.known, self.failure) = (kinds, known, failure)
    }

    /// What is declared of a path; nil for one that only leads to others.
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` for a path of which nothing is declared.
    func kind(of path: JSONPath) throws -> Kind? {
        let names = path.names
        if let kind = kinds[names] { return kind }
        if (0..<names.count).contains(where: { kinds[Array(names.prefix($0))] == .anything }) { return .anything }
        guard known.contains(names) else { throw unknown(path) }
        return nil
    }

    /// Checks that a value of a type may be asked for at a path.
    ///
    /// - Parameter asEqual: Whether it is only compared for equality, by which an integer is found among other numbers.
    /// - Throws: ``DatabaseError/Code/syntax`` for a path of which nothing is declared, and
    ///   ``DatabaseError/Code/invalidValue`` for another type than the declared one.
    func require(_ type: JSONScalarType, at path: JSONPath, asEqual: Bool = false) throws {
        guard let kind = try kind(of: path) else {
            throw refused(path, "a value", "as an object. Name a path that leads into it.")
        }
        let isFound = asEqual && type == .integer && kind == .number
        if !isFound, !kind.allows(type) { throw refused(path, type.sentence, kind.sentence) }
    }

    private func refused(_ path: JSONPath, _ wanted: String, _ declared: String) -> DatabaseError {
        DatabaseError(
            .invalidValue,
            "A query asks for \(wanted) at \"\(path)\", which the table declares \(declared)",
            table: table,
            properties: ["\(path)"])
    }

    private func unknown(_ path: JSONPath) -> DatabaseError {
        let near = nearMisses(of: JSONPath.text(of: path.names), among: known.map(JSONPath.text(of:)))
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return DatabaseError(
            .syntax, "A query names the path \"\(path)\", which the table does not declare.\(hint)",
            table: table, properties: ["\(path)"])
    }
}

extension DeclaredPaths.Kind {
    /// The type of the value, where there is one that is compared.
    var scalarType: JSONScalarType? {
        switch self {
        case .text: .text
        case .boolean: .boolean
        case .integer: .integer
        case .number: .real
        case .anything: nil
        }
    }

    /// Whether a query may ask for a value as one of a type.
    ///
    /// Every integer is a number as well. A number is no integer: 3.5 would be nil, and not be found by `> 3`.
    fileprivate func allows(_ type: JSONScalarType) -> Bool {
        scalarType == nil || scalarType == type || self == .integer && type == .real
    }

    fileprivate var sentence: String {
        switch self {
        case .text: "as a text. Ask for a String."
        case .boolean: "as a truth value. Ask for a Bool."
        case .integer: "as an integer. Ask for an Int or a Double."
        case .number: "as a number. Ask for a Double."
        case .anything: "as anything."
        }
    }
}

extension JSONScalarType {
    fileprivate var sentence: String {
        switch self {
        case .text: "a text"
        case .boolean: "a truth value"
        case .integer: "an integer"
        case .real: "a number"
        }
    }
}

extension JSONPath {
    /// The names of members, without positions.
    fileprivate var names: [String] {
        steps.compactMap { if case .member(let name) = $0 { name } else { nil } }
    }

    fileprivate static func text(of names: [String]) -> String {
        // For a message alone: a name that no path can have is shown as it is.
        (try? JSONPath(steps: names.map(Step.member)).description) ?? names.joined(separator: ".")
    }
}
