@_spi(Driver) import Holdfast

/// A statement that a database was sent: its text with placeholders, and never a bound value.
///
/// ```swift
/// let insert = recording.statements.first { $0.kind == .insert }
/// insert?.sql     // INSERT INTO "project" ("name") VALUES ($1) RETURNING "id"
/// insert?.rows    // 100
/// ```
public struct RecordedStatement: Hashable, Sendable {
    /// What a statement does, as far as its first words show it.
    ///
    /// ```swift
    /// #expect(recording.count(.select) == 2)
    /// ```
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Returns rows.
        case select
        /// Adds rows; also those that update or replace what is in their way.
        case insert
        /// Changes rows.
        case update
        /// Removes rows.
        case delete
        /// Begins or ends a transaction or a savepoint.
        case transaction
        /// Does something else: definitions, settings.
        case other
    }

    /// The text, with the engine's placeholders.
    ///
    /// Raw SQL is recorded as it was written, with whatever values its author put into its text.
    public let sql: String

    /// What it does.
    public let kind: Kind

    /// The table that it is about; nil for raw SQL, and for what is about none or several.
    public let table: String?

    /// How many rows of parameters it was run with: a hundred objects can be inserted by one statement.
    ///
    /// It is 1 for a statement without parameters.
    public let rows: Int

    init(_ statement: Statement, _ parameters: ParameterBuffer) {
        sql = statement.sql
        table = statement.table
        rows = parameters.width == 0 ? 1 : parameters.rowCount
        kind =
            switch statement.kind {
            case .read: .select
            case .insert, .replace: .insert
            case .update: .update
            case .delete: .delete
            case .begin, .commit: .transaction
            case .setting, .other: Self.endsOrNests(statement.sql) ? .transaction : .other
            }
    }

    private static func endsOrNests(_ sql: String) -> Bool {
        ["ROLLBACK", "SAVEPOINT", "RELEASE", "ABORT"].contains(sql.prefix { $0 != " " && $0 != ";" }.uppercased())
    }
}
