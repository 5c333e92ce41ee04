import ArgumentParser

@main
struct HoldfastTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Work with databases that Holdfast keeps objects in.",
        subcommands: [ConformanceCommand.self]
    )
}
