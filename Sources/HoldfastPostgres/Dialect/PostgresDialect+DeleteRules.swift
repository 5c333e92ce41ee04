@_spi(Driver) import Holdfast

/// Triggers that keep delete rules, each with a function of its name.
///
/// Those that delete do so after the row is gone, so that each ends where rows hold each other in a cycle: the server
/// refuses to delete a row twice in one statement. They run once for a statement, and for all that foreign keys delete
/// with it.
@_spi(Driver) extension PostgresDialect {
    public func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String] {
        switch (rule.source, rule.rule) {
        case (.columns(let columns), .deny):
            let condition = columns.map { "OLD.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
            return [
                function(rule.name, refusal(rule.name, columns)),
                """
                CREATE TRIGGER \(quoted(rule.name)) BEFORE DELETE ON \(quoted(owner.name))
                FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION \(quoted(rule.name))()
                """,
            ]
        case (.columns(let columns), _):
            return deletion(rule, after: owner.name, "SELECT \(formatted(columns)) FROM gone")
        case (.joinTable(let table, let ownerColumns, let targetColumns), _):
            // An object that is taken out of an array stays; when the owner of an array is deleted, the objects in it
            // are, too.
            let isOwner = zip(owner.primaryKey, ownerColumns)
                .map { "owner.\(formatted([$0])) = gone.\(formatted([$1]))" }
                .joined(separator: " AND ")
            return deletion(
                rule, after: table,
                """
                SELECT \(formatted(targetColumns)) FROM gone
                WHERE NOT EXISTS (SELECT FROM %1$I.\(formatted([owner.name])) AS owner WHERE \(isOwner))
                """)
        }
    }

    public func dropDeleteRule(_ name: String, on table: String) -> [String] {
        ["DROP TRIGGER \(quoted(name)) ON \(quoted(table))", "DROP FUNCTION \(quoted(name))()"]
    }

    /// Returns the columns of its table that the function of a rule names.
    ///
    /// A rule that refuses names them in the condition of its trigger instead.
    func columns(ofDeleteRule source: String) -> [String] {
        // The statement is in a literal, as a format.
        let statement = source.replacing("''", with: "'").replacing("%%", with: "%")
        return [") IN (\nSELECT ", "= gone."].flatMap {
            DeleteRuleDefinition.quotedNames(after: $0, in: statement)
        }
    }

    /// Names in a statement that a function makes by `format`.
    private func formatted(_ names: [String]) -> String { list(names).replacing("%", with: "%%") }

    /// A trigger that deletes the rows whose keys `held` finds in `gone`, the rows that a statement deleted from
    /// `table`.
    private func deletion(_ rule: DeleteRuleDefinition, after table: String, _ held: String) -> [String] {
        // The schema is that of the trigger's table, whatever the search path of who deletes.
        let delete = """
            DELETE FROM %1$I.\(formatted([rule.target])) WHERE (\(formatted(rule.targetKey))) IN (
            \(held))
            """
        // The first condition ends the recursion: triggers of statements fire for no rows as well.
        let body = """
            BEGIN
                IF EXISTS (SELECT FROM gone) THEN
                    EXECUTE format(\(quotedText(delete)), TG_TABLE_SCHEMA);
                END IF;
                RETURN NULL;
            END
            """
        return [
            function(rule.name, body),
            """
            CREATE TRIGGER \(quoted(rule.name)) AFTER DELETE ON \(quoted(table)) REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION \(quoted(rule.name))()
            """,
        ]
    }

    private func refusal(_ name: String, _ columns: [String]) -> String {
        // One column is all that an error of the server can name.
        let column = columns.count == 1 ? ", COLUMN = \(quotedText(columns[0]))" : ""
        return """
            BEGIN
                RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation',
                    MESSAGE = 'a row holds another one, and its delete rule refuses to let it go',
                    SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = \(quotedText(name))\(column);
            END
            """
    }

    /// A function, in place of one that a table which was dropped may have left behind.
    private func function(_ name: String, _ body: String) -> String {
        let tag = "$rule$"
        let source = body.contains(tag) ? quotedText(body) : "\(tag)\n\(body)\n\(tag)"
        return "CREATE OR REPLACE FUNCTION \(quoted(name))() RETURNS trigger LANGUAGE plpgsql AS \(source)"
    }
}
