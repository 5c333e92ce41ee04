import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// A program in twenty versions, and what its databases have to hold after any upgrade.
///
/// Run by Integration/upgrade.
@main struct Upgrade: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "One program in twenty versions.",
        subcommands: [Fill.self, Run.self, Work.self, Check.self])

    struct Options: ParsableArguments {
        @Argument(help: "The database.") var url: String
        @Option(help: "The version of the program, 1 to 20.") var version: Int

        func withDatabase<Output: Sendable>(
            _ body: nonisolated(nonsending) (Database, Version) async throws -> Output
        ) async throws -> Output {
            try await Database.withDatabase(url, drivers: [.sqlite, .postgres]) { db async throws in
                try await body(db, Version(number: version))
            }
        }
    }
}

/// Makes the tables of a version and fills them.
struct Fill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make the tables of a version, with rows.")

    @OptionGroup var options: Upgrade.Options
    @Option(help: "The number of accounts.") var rows = 1_000

    func run() async throws {
        try await options.withDatabase { db, version in
            try await db.migrate(version.schema)
            try await db.transaction { tx in
                for statement in Rows(version: version, count: rows).insertions {
                    try await tx.sql(statement).execute()
                }
            }
        }
    }
}

/// Migrates, as a version does at its start.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Migrate to a version.")

    @OptionGroup var options: Upgrade.Options
    @Flag(help: "Build indexes beside those who write.") var concurrently = false

    func run() async throws {
        try await options.withDatabase { db, version in
            var schema = version.schema
            schema.buildsIndexesConcurrently = concurrently
            let plan = try await db.migrate(schema)
            print("\(plan.steps.count) steps")
        }
    }
}

/// Inserts accounts until it is killed or finds that its tables are others now.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Insert accounts, and print the keys that are safe.")

    @OptionGroup var options: Upgrade.Options
    @Option(help: "The first key.") var first: Int

    func run() async throws {
        try await options.withDatabase { db, version in
            for id in first..<(first + 1_000_000) {
                let rows = Rows(version: version, count: 0)
                do {
                    try await db.transaction { tx in try await tx.sql(rows.account(id)).execute() }
                    // Unbuffered: a key that was written is in the file, whatever happens next.
                    try FileHandle.standardOutput.write(contentsOf: Data("\(id)\n".utf8))
                } catch let error as DatabaseError
                    where [.serializationFailure, .deadlock, .lockTimeout, .commitOutcomeUnknown].contains(error.code)
                {
                    continue
                } catch let error as DatabaseError {
                    // Another version has renamed or tightened what this one uses.
                    FileHandle.standardError.write(Data("version \(version.number) stops: \(error)\n".utf8))
                    return
                }
            }
        }
    }
}

/// Checks the rows of an upgraded database, and its tables against those of a new one.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Check an upgraded database.")

    @OptionGroup var options: Upgrade.Options
    @Option(help: "The version that the database was made by.") var from: Int
    @Option(help: "The number of accounts at that time.") var rows = 1_000
    @Option(help: "A file of the keys that were added meanwhile.") var added: String?
    @Option(help: "A new database of the version.") var fresh: String

    func run() async throws {
        try await options.withDatabase { db, version in
            let rows = Rows(version: version, count: rows)
            for check in rows.checks(from: Version(number: from)) {
                let wrong = try await db.sql(check.query).fetch(as: Int.self)
                guard wrong == [check.expected] else {
                    throw ValidationError("\(check.what): \(wrong), and not \(check.expected)")
                }
            }
            if let added {
                let text = try String(contentsOfFile: added, encoding: .utf8)
                for id in text.split(separator: "\n").compactMap({ Int($0) }) {
                    let found = try await db.sql(rows.hasAccount(id)).fetch(as: Int.self)
                    guard found == [1] else {
                        throw ValidationError("The account \(id) was acknowledged, and is not there.")
                    }
                }
            }
            let drift = try await db.drift(version.schema)
            guard drift.isEmpty else { throw ValidationError("\(drift)") }
            try await read(version.account, db)
            let described = try await description(of: db)
            let expected = try await Database.withDatabase(fresh, drivers: [.sqlite, .postgres]) { new async throws in
                try await new.migrate(version.schema)
                return try await description(of: new)
            }
            for (found, wanted) in zip(described, expected) where found != wanted {
                throw ValidationError("The upgraded database has\n\(found)\nand a new one has\n\(wanted)")
            }
            guard described.count == expected.count else {
                throw ValidationError("There are other tables: \(described)")
            }
        }
    }

    /// Reads some objects as the version does.
    private func read<Model: TableObject>(_ type: Model.Type, _ db: Database) async throws {
        let objects = try await db.query(type).limit(3).fetch()
        guard objects.count == min(rows, 3) else { throw ValidationError("\(objects.count) objects can be read.") }
    }

    /// The tables, apart from what may differ: the order of columns, and how many rows there are.
    private func description(of db: Database) async throws -> [DatabaseSchema.Table] {
        try await db.schema().tables.filter { !$0.name.hasPrefix("holdfast_") }.map { table in
            var table = table
            table.columns.sort { $0.name < $1.name }
            table.indexes.sort { $0.name < $1.name }
            table.foreignKeys.sort { ($0.columns.first ?? "") < ($1.columns.first ?? "") }
            table.triggers.sort()
            table.rowEstimate = nil
            guard options.url.hasPrefix("sqlite:") else { return table }
            // SQLite renames no constraint.
            table.primaryKey?.name = nil
            for index in table.foreignKeys.indices { table.foreignKeys[index].name = nil }
            return table
        }.sorted { $0.name < $1.name }
    }
}
