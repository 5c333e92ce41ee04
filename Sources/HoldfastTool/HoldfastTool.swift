import ArgumentParser
import HoldfastCommands

/// The command-line tool `holdfast`; what it does is in HoldfastCommands, where tests can reach it.
@main struct HoldfastTool {
    static func main() async { await HoldfastCommand.main() }
}
