import ArgumentParser

/// Measures Holdfast against the engines' own C libraries, and against GRDB.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures Holdfast. Scripts/bench starts what it needs, and this.",
        subcommands: [
            CompareCommand.self, ContentionCommand.self, DashboardCommand.self, DocumentsCommand.self,
            FillCommand.self, QueueCommand.self, RunCommand.self,
        ])
}
