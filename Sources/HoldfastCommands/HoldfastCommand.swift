public import ArgumentParser

public struct HoldfastCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Work with databases that Holdfast keeps objects in.",
        subcommands: [ConformanceCommand.self]
    )

    public init() {}
}
