/// References that hold a unique property of their target in place of its key.
///
/// Rows that are read have the target's key nevertheless: statements translate, so that nothing in memory needs to
/// know.
///
/// `SELECT "name", (SELECT k."id" FROM "country" AS k WHERE k."code" = "city"."country_code") FROM "city"`
extension TableDescription {
    /// The reference in these columns that holds a unique property of its target; nil if there is none.
    func alternateRelation(_ names: [String]) -> Relation? {
        if columns.alternateMask.isEmpty { return nil }
        return columns.relations.first { relation in
            guard relation.alternate != nil, case .reference(names) = relation.storage else { return false }
            return true
        }
    }

    /// The columns of this table that the foreign key of a relation refers to: those of the primary key, or that of a
    /// unique property.
    func columns(heldBy relation: Relation) -> [String] {
        relation.alternate.flatMap { properties[$0].columnName }.map { [$0] } ?? keyColumns
    }
}

extension Relation {
    private func select(_ column: Int, where condition: (String) -> String, _ dialect: any Dialect) -> String {
        let other = target.description
        let name = other.properties[column].columnName ?? ""
        return
            "(SELECT k.\(dialect.quoted(name)) FROM \(other.source(as: "k", dialect)) WHERE \(condition("k.")))"
    }

    /// The key of the target whose unique property an expression is.
    func key(heldIn expression: String, _ dialect: any Dialect) -> String {
        let other = target.description
        guard let alternate, let key = other.keyIndices.first, let column = other.properties[alternate].columnName
        else {
            return expression
        }
        return select(key, where: { "\($0)\(dialect.quoted(column)) = \(expression)" }, dialect)
    }

    /// The unique property of the target whose key an expression is.
    func held(byKey expression: String, _ dialect: any Dialect) -> String {
        guard let alternate, let key = target.description.keyColumns.first else { return expression }
        return select(alternate, where: { "\($0)\(dialect.quoted(key)) = \(expression)" }, dialect)
    }

    /// The unique properties of the targets that meet a condition on their key.
    func held(_ dialect: any Dialect, whereKey condition: (String) -> String) -> String? {
        guard let alternate, let key = target.description.keyColumns.first else { return nil }
        return select(alternate, where: { condition("\($0)\(dialect.quoted(key))") }, dialect)
    }
}
