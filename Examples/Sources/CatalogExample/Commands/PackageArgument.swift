import ArgumentParser

/// The packages that a command is about.
struct PackageArgument: ParsableArguments {
    @Argument(help: "The name of a package, with an architecture if only that one is meant: libc6 or libc6:amd64.")
    var name: String

    @Option(help: "The architecture, if only the package of that one is meant.")
    var architecture: String?

    var selection: PackageSelection { PackageSelection(name, architecture: architecture) }
}
