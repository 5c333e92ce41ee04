/// A plan as a text that can be read, kept, and applied as it is.
///
/// ```swift
/// let script = try await db.schemaPlan(for: schema).script
/// print(script)                                      // SQL with comments, for those who have to agree
/// let kept = try JSONEncoder().encode(script)        // until they do
///
/// let agreed = try JSONDecoder().decode(SchemaScript.self, from: kept)
/// try await db.migrate(schema, applying: agreed)     // just that, or nothing
/// ```
///
/// The text is for people: run by another program, its statements would leave the journal of migrations behind.
public struct SchemaScript: Hashable, Sendable, Codable {
    /// One statement of a script.
    public struct Step: Hashable, Sendable, Codable {
        /// The statement; a comment, if it is a closure of a migration.
        public let sql: String
        /// Whether the step could lose values, as far as it is known.
        public let losesData: Bool
        /// What can't be known of the step before it has run; nil if nothing.
        public let unknown: SchemaStep.Unknown?
        let part: SchemaStep.Part
        let comments: [String]
    }

    /// The statements, in the order in which they are run.
    public let steps: [Step]
    /// What keeps the rest from being planned: see ``SchemaPlan/unplanned``.
    public let unplanned: [String]
    /// What is to be told at the end.
    let comments: [String]
    /// The hashes of the named migrations, by their names.
    let migrations: [String: String]
}

extension SchemaScript: CustomStringConvertible {
    /// SQL with comments: what each statement locks and may lose, and what is not known.
    ///
    /// ```sql
    /// -- ACCESS EXCLUSIVE on "note"; may lose values
    /// ALTER TABLE "note" DROP COLUMN "subtitle";
    /// ```
    public var description: String {
        Self.comment(
            "A plan of Holdfast \(holdfastVersion). Run by another program, it would leave the journal behind.")
            + "\n" + report
    }

    var report: String {
        var lines: [String] = []
        var part = SchemaStep.Part.transaction
        for step in steps {
            if step.part != part { lines += step.part.comment.map { [Self.comment($0)] } ?? [] }
            part = step.part
            lines += step.comments.map(Self.comment)
            // A comment at its end would take the semicolon along.
            let last = step.sql.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            lines.append(step.sql + (last.contains("--") && step.unknown != .closure ? "\n;" : ";"))
        }
        lines += comments.map(Self.comment)
        lines += unplanned.map { Self.comment("Not planned: \($0)") }
        return lines.joined(separator: "\n")
    }

    /// A comment is one line, whatever names are in it.
    private static func comment(_ text: String) -> String {
        "-- " + String(text.map { $0.isNewline ? " " : $0 })
    }
}

extension SchemaStep.Part {
    fileprivate var comment: String? {
        switch self {
        case .transaction: nil
        case .rebuild: "In another transaction, in which foreign keys are not enforced:"
        case .afterwards: "After the transaction, one by one:"
        }
    }
}
