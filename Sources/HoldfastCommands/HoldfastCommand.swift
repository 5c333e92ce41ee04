public import ArgumentParser

/// The command `holdfast`, with its subcommands.
public struct HoldfastCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Work with databases that Holdfast keeps objects in.",
        // The version of the whole package, here and nowhere else: that of the release to come.
        version: "0.1.0",
        subcommands: [ConformanceCommand.self]
    )

    /// Creates the command; the argument parser sets its options.
    public init() {}
}
