public import ArgumentParser

/// The command `holdfast`, with its subcommands.
public struct HoldfastCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Work with databases that Holdfast keeps objects in.",
        subcommands: [ConformanceCommand.self]
    )

    /// Creates the command; the argument parser sets its options.
    public init() {}
}
