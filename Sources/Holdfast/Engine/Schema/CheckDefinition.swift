/// A CHECK constraint over the columns of a table, as a mapping requires it.
///
/// ```sql
/// CONSTRAINT "holdfastcheck_1a2b3c4d_dates" CHECK (starts_at <= ends_at)
/// ```
public struct CheckDefinition: Hashable, Sendable {
    /// What rows have to meet.
    enum Requirement: Hashable, Sendable {
        case sql(String)
        /// That one of several groups of columns has values; as SQL it depends on the dialect.
        case exactlyOne([[String]])
    }

    /// The name that the model gives it.
    public var name: String
    let requirement: Requirement

    init(name: String, requirement: Requirement) { (self.name, self.requirement) = (name, requirement) }

    /// The beginning of the names of constraints, which is not that of constraints of columns.
    private static let prefix = "holdfastcheck_"
    /// The number of digits of the hash behind it.
    private static let digits = 8
    /// The length of a name, with which a constraint's is one that every engine takes.
    static let maximumBytes = Naming.maximumBytes - prefix.utf8.count - digits - 1

    /// The name of the constraint: it changes with the condition, since engines don't keep its text as it was.
    public var constraint: String {
        let text =
            switch requirement {
            case .sql(let text): "sql\n\(text)"
            case .exactlyOne(let groups): (["one"] + groups.map { $0.joined(separator: "\t") }).joined(separator: "\n")
            }
        return "\(Self.prefix)\(Naming.hash(text).prefix(Self.digits))_\(name)"
    }

    /// Whether it can be the name of a check: one that every engine reports as it is.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumBytes
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The name that a model has given to the check of a constraint; nil if no model has.
    @_spi(Driver) public static func name(ofConstraint constraint: String) -> String? {
        guard constraint.hasPrefix(prefix) else { return nil }
        let rest = constraint.dropFirst(prefix.count)
        guard rest.count > digits + 1, rest.prefix(digits).allSatisfy(\.isHexDigit),
            rest.dropFirst(digits).first == "_"
        else { return nil }
        return String(rest.dropFirst(digits + 1))
    }
}

extension DatabaseSchema.Check {
    /// The name that a model has given to it; nil if it is not of a model.
    var declaredName: String? { name.flatMap(CheckDefinition.name(ofConstraint:)) }
}
