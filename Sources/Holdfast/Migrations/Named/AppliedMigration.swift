import Foundation

/// The record of a named migration that a database has had.
struct AppliedMigration: TableObject {
    var id: String
    var checksum: String
    var appliedAt: Date
    /// Whether programs that do not list it can go on; nil from earlier versions of the library.
    var isAdditive: Bool?

    static let tableMapping = TableMapping<AppliedMigration>(
        type: "AppliedMigration",
        table: "holdfast_applied",
        describe: { table in
            table.key("id", \.id)
            table.property("checksum", \.checksum)
            table.property("appliedAt", \.appliedAt)
            table.property("isAdditive", \.isAdditive)
        },
        decode: { row in
            AppliedMigration(
                id: try row.decode(at: 0), checksum: try row.decode(at: 1), appliedAt: try row.decode(at: 2),
                isAdditive: try row.decode(at: 3))
        })
}

extension [Migration] {
    /// The migrations that a database has not had, in their order.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if it has had one that is neither listed nor additive, so that it is
    ///   newer than the program, or one that has been changed since; or if the listed ones contradict themselves.
    func pending(after applied: [AppliedMigration]) throws -> [Migration] {
        var checksums: [String: String] = [:]
        for migration in self where checksums.updateValue(migration.checksum, forKey: migration.id) != nil {
            throw DatabaseError(.conflict, "Two migrations are named \"\(migration.id)\". Name one otherwise.")
        }
        try forEach { try $0.validate() }
        for record in applied {
            guard let checksum = checksums[record.id] else {
                if record.isAdditive == true { continue }
                throw DatabaseError(
                    .conflict,
                    "The database is newer than the program: it has had the migration \"\(record.id)\", which the "
                        + "program does not know. Start a newer version of the program. Nothing was changed.")
            }
            guard checksum == record.checksum else {
                throw DatabaseError(
                    .conflict,
                    "The migration \"\(record.id)\" was changed after the database had had it. Restore it, and add "
                        + "another one for the difference. Nothing was changed.")
            }
        }
        let done = Set(applied.map(\.id))
        return filter { !done.contains($0.id) }
    }
}
