import FuzzInputs
import Holdfast
import Testing

@testable import HoldfastPostgres

/// URLs that nobody would write: they are read or refused, and no piece of a password comes back in an error.
@Suite struct URLFuzzTests {
    /// Whatever is said of the URL, up to what would be said of a server that does not answer.
    private static func words(on url: String) -> String {
        do {
            let options = try PostgresOptions(connectionString: url)
            let failures = options.targets.map { ConnectFailure(ServerAddress($0, options), options).late }
            let error = ConnectFailure.of(failures)
            return error.description + error.debugDescription
        } catch {
            return error.description + error.debugDescription + "\(error)"
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `no piece of a password is shown`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for round in 0..<5_000 {
            if round.isMultiple(of: 100) { await Task.yield() }
            let url = URLTexts.urlWithPassword(using: &random)
            let words = Self.words(on: url)
            for piece in URLTexts.secrets where words.contains(piece) {
                Issue.record("\(piece) of \(url) is in: \(words)")
            }
        }
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `no URL traps`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for round in 0..<5_000 {
            if round.isMultiple(of: 100) { await Task.yield() }
            let url = URLTexts.url(using: &random)
            #expect(!Self.words(on: url).isEmpty)
        }
    }
}
