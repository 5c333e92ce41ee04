// What is compared of columns besides their types: defaults, collations, and the CHECK constraints of enums.

extension SchemaDiff {
    /// A change of the CHECK constraint of a column.
    struct CheckChange {
        /// The constraint that it has.
        var old: DatabaseSchema.Check?
        /// Whether values are refused that were admitted.
        var refusesMore: Bool
        /// Whether values are admitted that were refused.
        var admitsMore: Bool
    }

    /// Whether a column has another constant default than its property.
    ///
    /// A default that computes something is its maker's: no property has one.
    func hasOtherDefault(_ existing: DatabaseSchema.Column, _ column: ColumnDefinition) -> Bool {
        guard existing.hasDefault else { return column.defaultValue != nil }
        guard let text = existing.defaultExpression, DefaultExpression.isConstant(text) else { return false }
        guard let value = column.defaultValue else { return true }
        return !DefaultExpression(value.literal(dialect, column.type), type: column.type).isSame(as: text)
    }

    /// Whether the texts of a column are compared otherwise than migrations make it.
    func hasOtherCollation(_ existing: DatabaseSchema.Column, _ column: ColumnDefinition) -> Bool {
        existing.collation != dialect.collation(of: column)
    }

    /// The change of the CHECK constraint that a column needs; nil if it has the one that is asked for, or none.
    func checkChange(_ table: DatabaseSchema.Table, _ column: ColumnDefinition) -> CheckChange? {
        let old = table.checks.first { $0.isOwn(of: column.name) }
        if column.cases.isEmpty {
            return old.map { CheckChange(old: $0, refusesMore: false, admitsMore: true) }
        }
        guard let old else { return CheckChange(refusesMore: true, admitsMore: false) }
        let (before, after) = (old.cases(like: column.cases), Set(column.cases))
        if before == after { return nil }
        return CheckChange(
            old: old, refusesMore: !before.isSubset(of: after), admitsMore: !after.isSubset(of: before))
    }

    /// The statement that gives a column the CHECK constraint that it is to have, and takes away the one that it has.
    ///
    /// `ALTER TABLE "note" DROP CONSTRAINT "holdfast_note_kind_check", ADD CONSTRAINT "holdfast_note_kind_check" CHECK
    /// (…)`
    func checkStatement(_ change: CheckChange, _ column: ColumnDefinition, _ table: String) -> String {
        let parts = [
            change.old?.name.map { "DROP CONSTRAINT \(dialect.quoted($0))" },
            sql.check(column, of: table).map { "ADD \($0)" },
        ]
        return "ALTER TABLE \(dialect.quoted(table)) \(parts.compactMap(\.self).joined(separator: ", "))"
    }

    /// The change that a plan tells of.
    func change(_ check: CheckChange, _ column: ColumnDefinition, _ table: String) -> SchemaChange {
        column.cases.isEmpty
            ? .dropCheck(column: column.name, table: table)
            : .setCheck(
                column: column.name, table: table, refusesMore: check.refusesMore, admitsMore: check.admitsMore)
    }
}

extension Dialect {
    /// The collation that a column is made with; nil if none is stated.
    func collation(of column: ColumnDefinition) -> String? {
        collation(typeName(of: column), of: storedTypeName(of: column))
    }

    /// The collation that a type is written with.
    func collation(_ full: String, of stored: String) -> String? {
        guard full.hasPrefix(stored + " COLLATE ") else { return nil }
        return full.dropFirst(stored.count + " COLLATE ".count).filter { $0 != "\"" }
    }
}
