/// References that hold a unique property of their target in place of its key.
///
/// Rows that are read have the target's key nevertheless: statements translate, so that nothing in memory needs to
/// know.
///
/// `SELECT "name", (SELECT k."id" FROM "country" AS k WHERE k."code" = "city"."country_code") FROM "city"`
extension TableDescription {
    /// The columns of properties as a statement selects them: those of a type that the engine alone knows as text.
    ///
    /// - Parameter prefix: What the table is called.
    func selectedColumns(
        _ mask: PropertyMask, from prefix: String, isQualified: Bool, _ dialect: any Dialect
    ) -> [String] {
        columns.all.filter { mask.contains($0.property) }.map { column in
            let name = dialect.quoted(column.name)
            guard columns.alternateMask.contains(column.property), let relation = columns.relation(column.property)
            else { return readable(isQualified ? "\(prefix).\(name)" : name, column.property, dialect) }
            // The subquery is named after its column: otherwise, it would have the name of the other table's key, by
            // which rows may be ordered.
            return relation.key(heldIn: "\(prefix).\(name)", dialect) + " AS \(name)"
        }
    }

    /// The columns of properties as they are returned by the statement that has written them: what they hold.
    func returnedColumns(_ mask: PropertyMask, _ dialect: any Dialect) -> [String] {
        columns.all.filter { mask.contains($0.property) }.map {
            readable(dialect.quoted($0.name), $0.property, dialect)
        }
    }

    /// A column as it can be read: as text, if it is of a type that the engine alone knows.
    private func readable(_ sql: String, _ property: Int, _ dialect: any Dialect) -> String {
        properties[property].textForm == .ofColumnType ? dialect.text(ofColumnType: sql) ?? sql : sql
    }

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
