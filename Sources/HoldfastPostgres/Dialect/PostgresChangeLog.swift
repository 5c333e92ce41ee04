@_spi(Driver) import Holdfast

/// The change log on PostgreSQL, where the numbers of a sequence lie: a transaction that took a lower one may commit
/// later.
///
/// So a position is a snapshot, as `pg_current_snapshot()` tells it, and the entries between two positions are those
/// whose transaction is visible in the second and not in the first. Among them numbers give the order: whoever changes
/// a row that another transaction has changed waits for its end, and takes a greater number only then.
struct PostgresChangeLog: ChangeLogDialect {
    let dialect: PostgresDialect

    var events: [LogTrigger.Event] { [.insert, .update, .delete, .truncate] }

    /// The index, and that entries are made by triggers alone.
    ///
    /// Whoever else was allowed to make or change some, as by default privileges, is so no more. Who may remove entries
    /// may still trim the log.
    var completion: [String] {
        let rights = "INSERT, UPDATE, TRUNCATE, TRIGGER"
        let kinds = rights.split(separator: ", ").map { dialect.quotedText(String($0)) }.joined(separator: ", ")
        let revoke = self.revocation(
            of: rights, on: "TABLE holdfast_log",
            """
            FROM pg_class o, aclexplode(coalesce(o.relacl, acldefault('r', o.relowner))) a
            WHERE o.oid = 'holdfast_log'::regclass AND a.grantee <> o.relowner AND a.privilege_type IN (\(kinds))
            """)
        return [
            "CREATE INDEX IF NOT EXISTS holdfast_log_transaction_idx ON holdfast_log (transaction_id)",
            "DO \(dialect.quotedText("DECLARE other text; BEGIN\n\(revoke)\nEND"))",
            "REVOKE ALL ON TABLE holdfast_log_state FROM PUBLIC",
        ]
    }

    /// A loop of PL/pgSQL that takes rights from all who are found, who were given them as `a.grantee`.
    private func revocation(of rights: String, on object: String, _ found: String) -> String {
        let statement = dialect.quotedText("REVOKE \(rights) ON \(object) FROM ")
        return """
            FOR other IN SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                \(found)
            LOOP EXECUTE \(statement) || other || ' CASCADE'; END LOOP;
            """
    }

    var channel: String? { "holdfast_log" }

    // MARK: Writing

    /// A trigger, and a function of the same name that logs the changes of every role.
    ///
    /// It runs with the rights of the role that migrates, in the schema of the log, and with settings of its own,
    /// whatever those of the writing session.
    ///
    /// A trigger works without anybody having the right to call its function. A role with that right could attach the
    /// function to a trigger of its own, and log changes that never happened.
    func createTrigger(_ trigger: LogTrigger) -> [String] {
        let (name, source) = (dialect.quoted(trigger.name), dialect.quotedText(body(trigger)))
        // %1$I is the schema.
        let function = """
            CREATE OR REPLACE FUNCTION %1$I.\(name.replacing("%", with: "%%"))() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp \(Self.settings)
            AS %2$L
            """
        let revoke = self.revocation(
            of: "ALL", on: "FUNCTION \(name)()",
            """
            FROM pg_proc o, aclexplode(coalesce(o.proacl, acldefault('f', o.proowner))) a
            WHERE o.oid = \(dialect.quotedText("\(name)()"))::regprocedure AND a.grantee <> o.proowner
            """)
        let create = """
            DECLARE other text;
            BEGIN
                EXECUTE format(\(dialect.quotedText(function)), current_schema(), \(source));
                \(revoke)
            END
            """
        let table = dialect.quoted(trigger.source)
        return [
            "DO \(dialect.quotedText(create))",
            """
            CREATE TRIGGER \(name) AFTER \(trigger.event.rawValue.uppercased()) ON \(table)\(transitionTables(trigger))
            FOR EACH \(runsForRows(trigger) ? "ROW" : "STATEMENT") EXECUTE FUNCTION \(name)()
            """,
            // Also for whoever has set session_replication_role.
            "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(name)",
        ]
    }

    /// What texts depend on.
    private static let settings =
        #"SET extra_float_digits = 1 SET "DateStyle" = 'ISO, MDY' SET "IntervalStyle" = 'postgres' "#
        + #"SET "TimeZone" = 'UTC' SET bytea_output = 'hex' SET standard_conforming_strings = on SET jit = off"#

    /// A statement that names a partition runs no triggers of the partitioned table's statements, and the other way
    /// round; those of rows are on each partition, also on one that is attached later.
    private func runsForRows(_ trigger: LogTrigger) -> Bool { trigger.runsForRows && trigger.event != .truncate }

    private func transitionTables(_ trigger: LogTrigger) -> String {
        if runsForRows(trigger) { return "" }
        return switch trigger.event {
        case .insert: " REFERENCING NEW TABLE AS came"
        case .update: " REFERENCING OLD TABLE AS gone NEW TABLE AS came"
        case .delete: " REFERENCING OLD TABLE AS gone"
        case .truncate: ""
        }
    }

    private func body(_ trigger: LogTrigger) -> String {
        var rows = ""
        if runsForRows(trigger) {
            let came = trigger.event == .delete ? nil : "came AS (SELECT NEW.*)"
            let gone = trigger.event == .insert ? nil : "gone AS (SELECT OLD.*)"
            rows = "WITH \([came, gone].compactMap(\.self).joined(separator: ", ")) "
        }
        func insertion(_ entries: String) -> String {
            """
            \(rows)INSERT INTO holdfast_log (at, table_name, kind, row_key, columns, old_values, transaction_id)
            \(entries);
            """
        }
        var write = insertion(trigger.array.map { arrayEntries(trigger, $0) } ?? entries(trigger))
        if trigger.array == nil, let others = entriesOfOtherColumns(trigger) {
            let columns = trigger.columns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                .map(dialect.quotedText).joined(separator: ", ")
            write = """
                IF (SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
                    WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped) = ARRAY[\(columns)] THEN
                \(write)
                ELSE
                \(insertion(others))
                END IF;
                """
        }
        let table = dialect.quotedText(trigger.loggedTable)
        return """
            BEGIN
                \(write)
                IF FOUND THEN PERFORM pg_notify(\(dialect.quotedText(channel ?? "")), \(table)); END IF;
                RETURN NULL;
            END
            """
    }

    private func entries(_ trigger: LogTrigger) -> String {
        let key = key(trigger)
        switch trigger.event {
        case .insert: return select(trigger, "1, \(key), '[]', NULL", from: "came r")
        case .delete:
            let members = trigger.columns.map { member($0, of: "r") }
            let old = trigger.includesOldValues ? joined("{", members, "}") : "NULL"
            return select(trigger, "3, \(key), '[]', \(old)", from: "gone r")
        case .truncate: return select(trigger, "4, '[]', '[]', NULL")
        case .update:
            func changed(_ item: (String) -> String) -> [String] {
                trigger.columns.enumerated().map { "CASE WHEN d.differs[\($0 + 1)] THEN \(item($1)) END" }
            }
            let differs = trigger.columns.map(dialect.quoted)
                .map { "record_image_ne(ROW(o.\($0)), ROW(n.\($0)))" }.joined(separator: ", ")
            return update(
                trigger, columns: joined("[", changed { dialect.quotedText($0.jsonQuoted) }, "]"),
                replaced: joined("{", changed { member($0, of: "o") }, "}"),
                removed: joined("{", trigger.columns.map { member($0, of: "o") }, "}"), row: "r.*",
                // Computed once for a row, which the OFFSET keeps apart.
                changes: "CROSS JOIN LATERAL (SELECT ARRAY[\(differs)] AS differs OFFSET 0) d",
                isChanged: "true = ANY (d.differs)")
        }
    }

    /// The entries where the table has other columns than those that are known, since somebody has added or dropped one
    /// by hand: whatever they are, they are logged, and nobody's statement fails.
    private func entriesOfOtherColumns(_ trigger: LogTrigger) -> String? {
        let old = "(SELECT json_object_agg(e.key, e.value)::text FROM jsonb_each_text"
        switch trigger.event {
        case .insert, .truncate: return nil
        case .delete:
            guard trigger.includesOldValues else { return nil }
            return select(trigger, "3, \(key(trigger)), '[]', \(old)(to_jsonb(r)) e)", from: "gone r")
        case .update:
            return update(
                trigger, columns: "c.columns", replaced: "c.old_values",
                removed: "\(old)(o.holdfast_row) e)", row: "to_jsonb(r) AS holdfast_row",
                changes: """
                    LEFT JOIN LATERAL (
                        SELECT json_agg(e.key ORDER BY e.key)::text AS columns,
                            json_object_agg(e.key, o.holdfast_row ->> e.key)::text AS old_values
                        FROM jsonb_each(n.holdfast_row) e WHERE e.value IS DISTINCT FROM o.holdfast_row -> e.key
                    ) c ON true
                    """,
                isChanged: "c.columns IS NOT NULL")
        }
    }

    /// The entries of an update, whose rows are paired by their keys: where one has no other, the key was changed.
    private func update(
        _ trigger: LogTrigger, columns: String, replaced: String, removed: String, row: String, changes: String,
        isChanged: String
    ) -> String {
        let (isNew, isGone) = ("o.holdfast_key IS NULL", "n.holdfast_key IS NULL")
        var old = "NULL"
        if trigger.includesOldValues {
            old = "CASE WHEN \(isNew) THEN NULL WHEN \(isGone) THEN \(removed) ELSE \(replaced) END"
        }
        let rows = "SELECT \(key(trigger)) AS holdfast_key, \(row) FROM"
        return select(
            trigger,
            """
            CASE WHEN \(isNew) THEN 1 WHEN \(isGone) THEN 3 ELSE 2 END, coalesce(n.holdfast_key, o.holdfast_key),
                CASE WHEN \(isNew) OR \(isGone) THEN '[]' ELSE \(columns) END, \(old)
            """,
            from: """
                (\(rows) gone r) o FULL JOIN (\(rows) came r) n USING (holdfast_key)
                    \(changes)
                WHERE \(isNew) OR \(isGone) OR \(isChanged)
                ORDER BY n.holdfast_key IS NOT NULL
                """)
    }

    /// An update of the owner, as long as there is one.
    private func arrayEntries(_ trigger: LogTrigger, _ array: String) -> String {
        let columns = dialect.quotedText("[\(array.jsonQuoted)]")
        if trigger.event == .truncate { return select(trigger, "4, '[]', \(columns), NULL") }
        let list = dialect.list(trigger.keyColumns)
        let rows = [trigger.event == .insert ? nil : "gone", trigger.event == .delete ? nil : "came"]
            .compactMap(\.self).map { "SELECT \(list) FROM \($0)" }.joined(separator: " UNION ")
        let owner = zip(trigger.ownerKeyColumns, trigger.keyColumns)
            .map { "o.\(dialect.quoted($0)) = r.\(dialect.quoted($1))" }.joined(separator: " AND ")
        let logged = dialect.quoted(trigger.loggedTable)
        return select(
            trigger, "2, \(key(trigger)), \(columns), NULL",
            from:
                "(SELECT DISTINCT * FROM (\(rows)) a) r WHERE EXISTS (SELECT FROM \(logged) o WHERE \(owner))")
    }

    private func select(_ trigger: LogTrigger, _ values: String, from source: String? = nil) -> String {
        let table = dialect.quotedText(trigger.loggedTable)
        return "SELECT clock_timestamp(), \(table), \(values), pg_current_xact_id()::text::bigint"
            + (source.map { "\nFROM \($0)" } ?? "")
    }

    private func key(_ trigger: LogTrigger) -> String {
        "json_build_array(\(trigger.keyColumns.map { text($0, of: "r") }.joined(separator: ", ")))::text"
    }

    /// A value as a text, from which it can be read exactly, or NULL.
    ///
    /// JSON writes instants with their offset, and the spaces that `character` has at its end.
    private func text(_ column: String, of row: String) -> String {
        let value = "\(row).\(dialect.quoted(column))"
        return """
            CASE WHEN pg_typeof(\(value)) = ANY ('{timestamp,timestamptz,character}'::regtype[]) \
            THEN to_json(\(value)) #>> '{}' ELSE \(value)::text END
            """
    }

    /// A member of a JSON object: the column's name and its value as a text, or null.
    private func member(_ column: String, of row: String) -> String {
        "\(dialect.quotedText(column.jsonQuoted + ":")) || coalesce(to_json(\(text(column, of: row)))::text, 'null')"
    }

    /// The texts that are not NULL, with commas between them, in brackets.
    private func joined(_ first: String, _ items: [String], _ last: String) -> String {
        "'\(first)' || array_to_string(ARRAY[\(items.joined(separator: ", "))], ',') || '\(last)'"
    }

    func gap(in table: String) -> String {
        let name = dialect.quotedText(table)
        return """
            WITH entry AS (
                INSERT INTO holdfast_log (at, table_name, kind, row_key, columns, old_values, transaction_id)
                VALUES (clock_timestamp(), \(name), 5, '[]', '[]', NULL, pg_current_xact_id()::text::bigint)
                RETURNING 1
            )
            SELECT pg_notify(\(dialect.quotedText(channel ?? "")), \(name)) FROM entry
            """
    }

    func renameColumn(_ column: String, of table: String, to name: String) -> String {
        let (old, new) = (column.jsonQuoted, name.jsonQuoted)
        let (mark, former, present) = (dialect.quotedText(old), dialect.quotedText(column), dialect.quotedText(name))
        let names = ["[", ",", ", "].reduce("columns") { text, before in
            "replace(\(text), \(dialect.quotedText(before + old)), \(dialect.quotedText(before + new)))"
        }
        return """
            UPDATE holdfast_log SET columns = \(names),
                old_values = CASE strpos(old_values, \(mark)) WHEN 0 THEN old_values ELSE (
                    SELECT json_object_agg(CASE e.key WHEN \(former) THEN \(present) ELSE e.key END, e.value)::text
                    FROM json_each(old_values::json) e
                ) END
            WHERE table_name = \(dialect.quotedText(table))
                AND (strpos(columns, \(mark)) > 0 OR strpos(old_values, \(mark)) > 0)
            """
    }

    // MARK: Reading

    /// The identifier of a cluster, which `initdb` makes; whoever may connect may ask for it.
    var server: String { "(SELECT system_identifier::text FROM pg_control_system())" }

    /// Beside the name, transactions that are still to come: somebody may have set the counter back (`pg_resetwal`).
    var isForeign: String {
        """
        (t.server <> \(server) OR t.trimmed > \(Self.next)
            OR EXISTS (SELECT FROM holdfast_log WHERE transaction_id >= \(Self.next)))
        """
    }

    /// The transaction that comes next.
    private static let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
    private static let microseconds = "(extract(epoch FROM at) * 1000000)::bigint"

    func isPosition(_ text: String) -> Bool { Snapshot(text) != nil }

    var position: String { head(nil) }

    private func head(_ stretch: ChangeLogStretch?) -> String {
        var obstacles: [(String, ChangeLogObstacle)] = [("pg_is_in_recovery()", .standby), (isForeign, .foreign)]
        if let stretch, let snapshot = Snapshot(stretch.position) {
            obstacles.append(("t.trimmed > \(snapshot.least)", .trimmed))
            obstacles.append(("\(snapshot.next) > \(Self.next)", .older))
        }
        if let mark = stretch?.mark { obstacles.append(("NOT \(hasHad(mark, at: Self.microseconds))", .older)) }
        return head(
            stretch?.end.map(dialect.quotedText) ?? "pg_current_snapshot()::text", at: Self.microseconds,
            mark: stretch?.end == nil ? nil : stretch?.mark, obstacles: obstacles)
    }

    func page(_ stretch: ChangeLogStretch, tables: [String], limit: Int) -> String {
        // Others were refused.
        let snapshot = Snapshot(stretch.position) ?? Snapshot(least: 0, next: 0, running: [])
        let names = tables.map(dialect.quotedText).joined(separator: ", ")
        let isNamed = tables.isEmpty ? "" : " AND table_name IN (\(names))"
        // At first by id + 0, so that no index on the number is gone through from the beginning. What is left of a
        // stretch comes after the last number: from there on, the index has it in order, however long the stretch is.
        // There, transactions are not looked for by their index: it would find all of the stretch, for each page.
        let (order, transaction) = stretch.number > 0 ? ("id", "(transaction_id + 0)") : ("id + 0", "transaction_id")
        var conditions = "\(transaction) >= \(snapshot.next)"
        if !snapshot.running.isEmpty {
            let running = snapshot.running.map(String.init).joined(separator: ", ")
            conditions = "(\(conditions) OR \(transaction) IN (\(running)))"
        }
        if let end = stretch.end {
            conditions +=
                " AND pg_visible_in_snapshot(transaction_id::text::xid8, \(dialect.quotedText(end))::pg_snapshot)"
        }
        return """
            SELECT h.*, e.*
            FROM (\(head(stretch))) h LEFT JOIN LATERAL (
                SELECT id, \(Self.microseconds) AS at, table_name, kind, row_key, columns, old_values
                FROM holdfast_log
                WHERE \(conditions) AND id > \(stretch.number)\(isNamed) AND h.obstacle IS NULL
                ORDER BY \(order) LIMIT \(limit)
            ) e ON true
            ORDER BY e.id
            """
    }

    func trim(before cutoff: Int64?, positions: [String], keeping count: Int?) -> [String] {
        var conditions: [String] = []
        if let cutoff { conditions.append("at < to_timestamp(\(cutoff) / 1000000.0)") }
        if let count { conditions.append("id <= (SELECT max(id) - \(count) FROM holdfast_log)") }
        if let least = positions.compactMap({ Snapshot($0)?.least }).min() {
            conditions.append("transaction_id < \(least)")
        }
        if conditions.isEmpty { return [] }
        // Of a transaction that began before, a reader may not have seen the entries yet.
        return [
            """
            WITH removed AS (
                DELETE FROM holdfast_log
                WHERE (\(conditions.joined(separator: " OR ")))
                    AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
                RETURNING transaction_id, id, \(Self.microseconds) AS at
            ), latest AS (
                SELECT id, at FROM removed ORDER BY id DESC LIMIT 1
            )
            UPDATE holdfast_log_state t SET trimmed = greatest(trimmed, (SELECT max(transaction_id) + 1 FROM removed)),
                last_number = greatest(last_number, (SELECT id FROM latest)),
                last_at = coalesce((SELECT at FROM latest WHERE id > t.last_number), last_at)
            """
        ]
    }

    /// A snapshot as the server writes it: `10:20:12,15`.
    private struct Snapshot {
        /// The least transaction that was open.
        let least: UInt64
        /// The transaction that was to come next.
        let next: UInt64
        /// The transactions between them that were open.
        let running: [UInt64]

        init(least: UInt64, next: UInt64, running: [UInt64]) {
            (self.least, self.next, self.running) = (least, next, running)
        }

        init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, let least = UInt64(parts[0]), let next = UInt64(parts[1]) else { return nil }
            let running = parts[2].split(separator: ",", omittingEmptySubsequences: false)
            let numbers = running.compactMap { UInt64($0) }
            guard parts[2].isEmpty || numbers.count == running.count, least <= next, next <= Int64.max else {
                return nil
            }
            self.init(least: least, next: next, running: numbers)
        }
    }
}
