/// A rule for the objects that a row holds, applied by the database when that row is deleted (decision 0009).
///
/// If the held objects store the foreign key, its ON DELETE suffices. This type is for the other cases, for which the
/// database has a trigger:
///
/// - ``DeleteRule/cascade`` of a reference deletes the referenced row after the referencing row.
/// - ``DeleteRule/cascade`` of an array deletes its elements after the rows of the join table, which its own foreign
///   key deletes.
/// - ``DeleteRule/deny`` of a reference refuses the deletion beforehand.
///
/// ``DeleteRule/deny`` of an array needs none: the join table's foreign key to the owner is
/// ``ForeignKeyDefinition/Action/restrict``.
///
/// ```sql
/// CREATE TRIGGER "holdfast_project_lead_cascade" AFTER DELETE ON "project" -- SQLite
/// WHEN OLD."lead_id" IS NOT NULL
/// BEGIN
///     DELETE FROM "person" WHERE "id" = OLD."lead_id";
/// END
/// ```
public struct DeleteRuleDefinition: Hashable, Sendable {
    /// The columns or the join table from which the held rows are known.
    public enum Source: Hashable, Sendable {
        /// In columns of its own, in the order of the target's key.
        case columns([String])
        /// In a join table: its columns for the owner's key and for the target's, each in the order of that key.
        case joinTable(String, ownerColumns: [String], targetColumns: [String])
    }

    /// The name of the trigger, and of its function where the engine has one: begins with `holdfast_`.
    public let name: String
    /// The property that holds the objects.
    public let property: String
    /// The rule for these objects.
    public let rule: DeleteRule
    /// The table of these objects.
    public let target: String
    /// The columns of its key.
    public let targetKey: [String]
    /// The columns or the join table from which the held rows are known.
    public let source: Source
    /// Whether the objects are in another schema than the row that holds them.
    var leadsElsewhere = false

    /// Creates the definition of a rule.
    ///
    /// ```swift
    /// DeleteRuleDefinition(
    ///     owner: "project", property: "lead", rule: .cascade, target: "person", targetKey: ["id"],
    ///     source: .columns(["lead_id"])
    /// ).name    // "holdfast_project_lead_cascade"
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The table of the row that holds others.
    ///   - property: The property that holds them.
    ///   - rule: ``DeleteRule/cascade`` or ``DeleteRule/deny``.
    ///   - target: The table that they are in.
    ///   - targetKey: The columns of the key there.
    ///   - source: Where the row says which ones it holds.
    public init(
        owner: String, property: String, rule: DeleteRule, target: String, targetKey: [String], source: Source
    ) {
        self.name = Self.name(owner: owner, property: property, rule: rule)
        self.property = property
        self.rule = rule
        self.target = target
        self.targetKey = targetKey
        self.source = source
    }

    /// The beginning of all their names.
    package static let namePrefix = "holdfast_"

    /// Returns the names in double quotes that follow a mark in the text of a trigger, or lists of such names.
    ///
    /// Drivers read the columns of existing rules by it, since only the text of a trigger tells them.
    package static func quotedNames(after mark: String, in text: String) -> [String] {
        var names: [String] = []
        var tokens = SQLTokens(text)
        while tokens.skip(through: mark) {
            while let token = tokens.nextOfContent(), token.kind == .quotedName {
                names.append(tokens.contents(of: token))
                guard let comma = tokens.nextOfContent(), tokens.text(of: comma) == "," else { break }
            }
        }
        return names
    }

    static func name(owner: String, property: String, rule: DeleteRule) -> String {
        Naming.shortened("\(namePrefix)\(owner)_\(property)_\(rule.rawValue)")
    }

    /// Whether a foreign key does not do it alone.
    var needsTrigger: Bool {
        switch (rule, source) {
        case (.cascade, _), (.deny, .columns): true
        case (.deny, .joinTable), (.nullify, _): false
        }
    }

    /// The table that has the trigger.
    func triggerTable(owner: String) -> String {
        if case .joinTable(let name, _, _) = source { name } else { owner }
    }
}
