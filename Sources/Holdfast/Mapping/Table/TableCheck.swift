/// A condition that all rows of a table meet, by a CHECK constraint of the database.
///
/// ```swift
/// @Table(checks: [.check("dates", "starts_at <= ends_at"), .exactlyOne("ticket", "comment")])
/// // CONSTRAINT "holdfastcheck_…_dates" CHECK (starts_at <= ends_at)
/// ```
///
/// Whatever would break it, a save or SQL of another program, throws ``DatabaseError/Code/checkViolation``, with the
/// name of the check as ``DatabaseError/constraint``. As in all CHECK constraints, a condition that is unknown, since a
/// column is NULL, is met.
///
/// `migrate` adds, changes and drops the constraints of tables that it has made. It knows them by their names, which
/// have a hash of the condition.
public struct TableCheck: Hashable, Sendable {
    enum Requirement: Hashable, Sendable {
        case sql(String)
        case exactlyOne([String])
    }

    /// The name of the check, by which errors call it.
    public let name: String
    let requirement: Requirement

    /// Creates a check of a condition in SQL, which names columns, not properties, and has to suit each engine that you
    /// use.
    ///
    /// ```swift
    /// @Table(checks: [.check("dates", "starts_at <= ends_at")])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the check, of letters, digits and underscores, and of 40 bytes at most. A type has each
    ///     name once.
    ///   - condition: The condition in SQL.
    public static func check(_ name: String, _ condition: String) -> TableCheck {
        TableCheck(name: name, requirement: .sql(condition))
    }

    /// Creates a check that one of some properties has a value, and the others are nil.
    ///
    /// ```swift
    /// @Table(checks: [.exactlyOne("ticket", "comment")])
    /// // CHECK (CASE WHEN "ticket_id" IS NULL THEN 0 ELSE 1 END
    /// //     + CASE WHEN "comment_id" IS NULL THEN 0 ELSE 1 END = 1)
    /// ```
    ///
    /// An object that belongs to one of several types has an optional reference to each: see <doc:Relations>.
    ///
    /// - Parameters:
    ///   - properties: The names of the properties: references, or values, which are optional.
    ///   - name: The name of the check; if you leave it out, the names of the properties, joined by `_or_`.
    public static func exactlyOne(_ properties: String..., named name: String? = nil) -> TableCheck {
        TableCheck(
            name: name ?? shortened(properties.joined(separator: "_or_")), requirement: .exactlyOne(properties))
    }

    private static func shortened(_ name: String) -> String {
        if name.utf8.count <= CheckDefinition.maximumBytes { return name }
        var prefix = name
        while prefix.utf8.count > CheckDefinition.maximumBytes - 9 { prefix.removeLast() }
        return "\(prefix)_\(Naming.hash(name).prefix(8))"
    }
}
