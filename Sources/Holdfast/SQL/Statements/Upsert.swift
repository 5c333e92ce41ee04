/// The effect of writing a row where one with its unique key exists.
struct Upsert: Hashable, Sendable {
    /// The properties of the unique key.
    let key: PropertyMask
    /// The properties that are set in the row that exists.
    let updated: PropertyMask
    /// The properties that are read back, because the row that exists may hold others.
    let returned: PropertyMask
    /// Whether it was asked for, so that the object becomes what its row is; else a struct is saved whole.
    let isExplicit: Bool
    /// Whether each row that comes back tells if it was inserted, in a last column.
    var tells = false
    /// What is computed of the row that exists and of the new one; nil if all is set to what the new one has.
    var changes: UpsertChanges?

    /// Whether nothing is to be known of the row that exists.
    var isSilent: Bool { isExplicit && returned.isEmpty }
}

extension TableDescription {
    /// Throws if there can be several rows that have the same in some properties.
    func requireUnique(_ key: PropertyMask) throws {
        let keys = uniqueKeys
        guard !keys.contains(key) else { return }
        func names(_ mask: PropertyMask) -> String {
            mask.indices.map { "\"\(self.properties[$0].name)\"" }.joined(separator: ", ")
        }
        throw DatabaseError(
            .syntax,
            "\(names(key)) of \(type) is no unique key, so there can be several rows like it. Unique keys: \(keys.map(names).joined(separator: "; ")).",
            table: table, properties: key.indices.map { self.properties[$0].name })
    }

    /// The primary key and the other unique keys.
    private var uniqueKeys: [PropertyMask] {
        [keyMask] + properties.indices.filter { properties[$0].isUnique }.map { PropertyMask([$0]) }
            + indexes.filter { $0.isUnique && $0.isPlain }.map {
                PropertyMask($0.properties.compactMap { index(ofProperty: $0) })
            }
    }
}

/// Insertions that may meet a row that exists.
extension TableSQL {
    /// Inserts a row, or updates the one that has its unique key.
    ///
    /// `INSERT INTO "point" ("id", "x") VALUES ($1, $2) ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    ///
    /// - Parameter computed: The values of columns of a row that exists which are not those of the new one, as SQL.
    func upsert(_ mask: PropertyMask, _ upsert: Upsert, computed: [String: String] = [:]) -> String {
        var returned = description.returnedColumns(upsert.returned, dialect)
        if upsert.tells, let mark = dialect.upsertMark { returned.append(mark.isInserted) }
        return insert(mask, returningKey: false) + onConflict(upsert, computed: computed)
            + (returned.isEmpty ? "" : dialect.returning(returned))
    }

    /// The clause of an upsert that follows the values.
    ///
    /// ` ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    func onConflict(_ upsert: Upsert, computed: [String: String] = [:]) -> String {
        let key = description.columnNames(upsert.key)
        let changed = description.columnNames(upsert.updated)
        // Without a column to set, a row that exists is still locked, so that its arrays can be replaced, and returned.
        let assignments =
            changed.isEmpty
            ? key.prefix(1).map { "\(dialect.quoted($0)) = \(table).\(dialect.quoted($0))" }
            : changed.map { column in
                let name = dialect.quoted(column)
                let isVersion = column == description.versionColumn
                let value = isVersion ? description.countedUp("\(table).\(name)") : dialect.insertedValue(column)
                return "\(name) = \(computed[column] ?? value)"
            }
        // A struct that is saved whole was read before, and says what it knows; who asks for an upsert knows nothing.
        // Where nothing is read back, a row that has expired counts as not written, and is seen to then. One that is
        // marked as deleted is there again.
        let note = upsert.tells ? dialect.upsertMark?.note : nil
        let boundary = description.scopeBoundary(dialect)
        var condition =
            upsert.isExplicit
            ? (upsert.isSilent ? description.hasNotExpired(table, dialect) : note)
            : description.versionColumn.map { "\(table).\(dialect.quoted($0)) = \(dialect.insertedValue($0))" }
        // Nobody writes a row that is another's.
        if let boundary { condition = condition.map { "(\($0)) AND \(boundary)" } ?? boundary }
        return dialect.updateOnConflict(key: key, assignments: Array(assignments), condition: condition)
    }

    /// Inserts a row, unless that is in the way of one that exists; the last parameter, a number, comes back with its
    /// key if it was inserted.
    ///
    /// `INSERT INTO "person" ("name") VALUES ($1) ON CONFLICT DO NOTHING RETURNING CAST($2 AS bigint), "id"`
    func insertOrIgnore(_ mask: PropertyMask) -> String {
        let number = dialect.placeholder(description.columnCount(mask) + 1)
        let counted = "CAST(\(number) AS \(dialect.typeName(.int64)))"
        return insert(mask, returningKey: false) + dialect.ignoreConflicts
            + dialect.returning([counted] + description.keyColumns.map(dialect.quoted))
    }
}
