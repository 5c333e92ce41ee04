public import ArgumentParser

/// The example's command line: a catalogue of Debian packages, kept in SQLite or in PostgreSQL.
public struct CatalogCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Keeps the packages of a Debian package index in a database.",
        discussion: """
            The same program works on SQLite and on PostgreSQL; --db says which:

              catalog import
              catalog search editor
              zcat Packages.gz | catalog import - --db postgres://holdfast:secret@localhost/holdfast
            """,
        subcommands: [
            ImportCommand.self, VerifyCommand.self, StatsCommand.self, ShowCommand.self, NeedsCommand.self,
            SearchCommand.self, WatchCommand.self,
        ]
    )

    public init() {}
}
