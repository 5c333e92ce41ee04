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

    var indexes: [String] {
        ["CREATE INDEX IF NOT EXISTS holdfast_log_transaction_idx ON holdfast_log (transaction_id)"]
    }

    var channel: String? { "holdfast_log" }

    // MARK: Writing

    /// A function of the trigger's name, which writes whoever's changes: with the rights of whoever migrates, and in
    /// the schema of the log, whatever the search path of who writes.
    func createTrigger(_ trigger: LogTrigger) -> [String] {
        let name = dialect.quoted(trigger.name)
        let body = """
            BEGIN
                INSERT INTO holdfast_log (at, table_name, kind, row_key, columns, old_values, transaction_id)
                \(trigger.array.map { arrayEntries(trigger, $0) } ?? entries(trigger));
                IF FOUND THEN PERFORM pg_notify(\(dialect.quotedText(channel ?? "")), \(dialect.quotedText(trigger.loggedTable))); END IF;
                RETURN NULL;
            END
            """
        // %1$I is the schema.
        let function = """
            CREATE OR REPLACE FUNCTION %1$I.\(name.replacing("%", with: "%%"))() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
            AS %2$L
            """
        let create =
            "BEGIN EXECUTE format(\(dialect.quotedText(function)), current_schema(), \(dialect.quotedText(body))); END"
        let tables =
            switch trigger.event {
            case .insert: " REFERENCING NEW TABLE AS came"
            case .update: " REFERENCING OLD TABLE AS gone NEW TABLE AS came"
            case .delete: " REFERENCING OLD TABLE AS gone"
            case .truncate: ""
            }
        return [
            "DO \(dialect.quotedText(create))",
            """
            CREATE TRIGGER \(name) AFTER \(trigger.event.rawValue.uppercased()) ON \(dialect.quoted(trigger.source))\(tables)
            FOR EACH STATEMENT EXECUTE FUNCTION \(name)()
            """,
        ]
    }

    private func entries(_ trigger: LogTrigger) -> String {
        let key = key(trigger)
        let old = trigger.includesOldValues
        switch trigger.event {
        case .insert: return select(trigger, "1, \(key), '[]', NULL", from: "came r")
        case .delete:
            return select(trigger, "3, \(key), '[]', \(old ? "to_jsonb(r)::text" : "NULL")", from: "gone r")
        case .truncate: return select(trigger, "4, '[]', '[]', NULL")
        case .update:
            let changed = """
                SELECT json_agg(e.key ORDER BY e.key)::text AS columns,
                    \(old ? "jsonb_object_agg(e.key, o.row_value -> e.key)::text" : "NULL") AS old_values
                FROM jsonb_each(n.row_value) e WHERE e.value IS DISTINCT FROM o.row_value -> e.key
                """
            return select(
                trigger,
                """
                CASE WHEN o.row_key IS NULL THEN 1 WHEN n.row_key IS NULL THEN 3 ELSE 2 END,
                    coalesce(n.row_key, o.row_key),
                    CASE WHEN o.row_key IS NULL OR n.row_key IS NULL THEN '[]' ELSE c.columns END,
                    CASE WHEN o.row_key IS NULL THEN NULL WHEN n.row_key IS NULL THEN \(old ? "o.row_value::text" : "NULL")
                        ELSE c.old_values END
                """,
                from: """
                    (SELECT \(key) AS row_key, to_jsonb(r) AS row_value FROM gone r) o
                    FULL JOIN (SELECT \(key) AS row_key, to_jsonb(r) AS row_value FROM came r) n USING (row_key)
                    LEFT JOIN LATERAL (\(changed)) c ON true
                    WHERE o.row_key IS NULL OR n.row_key IS NULL OR c.columns IS NOT NULL
                    ORDER BY n.row_key IS NOT NULL
                    """)
        }
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
        return select(
            trigger, "2, \(key(trigger)), \(columns), NULL",
            from:
                "(SELECT DISTINCT * FROM (\(rows)) a) r WHERE EXISTS (SELECT FROM \(dialect.quoted(trigger.loggedTable)) o WHERE \(owner))"
        )
    }

    private func select(_ trigger: LogTrigger, _ values: String, from source: String? = nil) -> String {
        let table = dialect.quotedText(trigger.loggedTable)
        return "SELECT clock_timestamp(), \(table), \(values), pg_current_xact_id()::text::bigint"
            + (source.map { "\nFROM \($0)" } ?? "")
    }

    private func key(_ trigger: LogTrigger) -> String {
        "json_build_array(\(trigger.keyColumns.map { "to_jsonb(r.\(dialect.quoted($0))) #>> '{}'" }.joined(separator: ", ")))::text"
    }

    func renameColumn(_ column: String, of table: String, to name: String) -> String {
        let (old, new) = (column.jsonQuoted, name.jsonQuoted)
        let names = ["[", ",", ", "].reduce("columns") { text, before in
            "replace(\(text), \(dialect.quotedText(before + old)), \(dialect.quotedText(before + new)))"
        }
        return """
            UPDATE holdfast_log SET columns = \(names), old_values = CASE WHEN strpos(old_values, \(dialect.quotedText(old))) = 0 THEN old_values ELSE (
                SELECT jsonb_object_agg(CASE e.key WHEN \(dialect.quotedText(column)) THEN \(dialect.quotedText(name)) ELSE e.key END, e.value)::text
                FROM jsonb_each(old_values::jsonb) e
            ) END
            WHERE table_name = \(dialect.quotedText(table))
                AND (strpos(columns, \(dialect.quotedText(old))) > 0 OR strpos(old_values, \(dialect.quotedText(old))) > 0)
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
        var conditions = "transaction_id >= \(snapshot.next)"
        if !snapshot.running.isEmpty {
            let running = snapshot.running.map(String.init).joined(separator: ", ")
            conditions = "(\(conditions) OR transaction_id IN (\(running)))"
        }
        if let end = stretch.end {
            conditions +=
                " AND pg_visible_in_snapshot(transaction_id::text::xid8, \(dialect.quotedText(end))::pg_snapshot)"
        }
        // At first by id + 0, so that no index on the number is gone through from the beginning. What is left of a
        // stretch comes after the last number: from there on, the index has it in order, however long the stretch is.
        let order = stretch.number > 0 ? "id" : "id + 0"
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
