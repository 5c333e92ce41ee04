import ArgumentParser
import Foundation

/// Gives the library texts that nobody would write, and ends with an error if one of them is not read or refused at
/// once.
///
/// Run by Integration/fuzz.
@main
struct Fuzz: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Try texts that nobody would write.",
        subcommands: [ConditionsCommand.self, URLsCommand.self, TokensCommand.self]
    )
}

struct FuzzOptions: ParsableArguments {
    @Option(help: "The number of texts.")
    var count = 3_000

    @Option(help: "The seed of the texts.")
    var seed = UInt64.random(in: 1...999_999)
}

/// The trial of one kind of text.
struct Trial {
    /// How long a text may take, for each KB that it has begun.
    private static let secondsPerKB = 0.1
    /// One text of so many is long.
    private static let longEvery = 2_000

    let name: String
    let options: FuzzOptions

    /// Tries the texts.
    ///
    /// - Parameters:
    ///   - make: Makes a text; a long one where it is told so.
    ///   - read: Reads it; returns whether it could be read.
    func run(
        _ make: (_ number: Int, _ isLong: Bool, inout SeededGenerator) -> String,
        _ read: (_ number: Int, _ text: String) async throws -> Bool
    ) async throws {
        var random = SeededGenerator(seed: options.seed)
        var (readCount, slowest, longest) = (0, 0.0, 0)
        for number in 1...max(options.count, 1) {
            let text = make(number, number.isMultiple(of: Self.longEvery), &random)
            let start = Self.processorTime
            if try await read(number, text) { readCount += 1 }
            let perKB = (Self.processorTime - start) / Double(text.utf8.count / 1024 + 1)
            (slowest, longest) = (max(slowest, perKB), max(longest, text.utf8.count))
            if perKB > Self.secondsPerKB {
                throw Failure("It took \(perKB) s for each KB of \(text.prefix(2_000).debugDescription)")
            }
        }
        print(
            "\(options.count) \(name) with seed \(options.seed): \(readCount) were read, the others refused;",
            "the longest had \(longest) bytes, the slowest took \(String(format: "%.2f", slowest * 1000)) ms for each KB."
        )
    }

    /// The processor time of this program, in seconds: what others do meanwhile does not count.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// What must not be.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
