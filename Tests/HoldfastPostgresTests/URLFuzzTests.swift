import Foundation
import Holdfast
import Testing

@testable import HoldfastPostgres

/// URLs that nobody would write: they are read or refused, and no piece of a password comes back in an error.
@Suite struct URLFuzzTests {
    /// The number of URLs of each kind; more by hand.
    private static let rounds = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_ROUNDS"].flatMap(Int.init) ?? 5_000

    /// Pieces of passwords; none is a word of a message or a parameter's name.
    private static let secrets = ["s3cret", "hunter", "Zx9", "canary", "4711", "0815", "tr0ub4dor", "qwxyz"]
    private static let reserved = [
        "@", "/", "?", "&", "=", ":", "#", "%", "%40", "%2", "[", "]", ",", " ", "'", "\\", "+", ";", "://", "\u{e9}",
        "",
    ]
    private static let tails = [
        "", "?sslmode=disable", "?schema=a&pool_size=2", "?no_such=1", "?", "?connect_timeout=x",
    ]

    private static func secret(using random: inout Generator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            (secrets.randomElement(using: &random) ?? "") + (reserved.randomElement(using: &random) ?? "")
        }.joined()
    }

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
        var random = Generator(seed: seed)
        for round in 0..<Self.rounds {
            if round.isMultiple(of: 100) { await Task.yield() }
            let secret = Self.secret(using: &random)
            let tail = Self.tails.randomElement(using: &random) ?? ""
            let url =
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1: "postgres://app:\(secret)@db.example/prod\(tail)"
                case 2: "postgresql://app:\(secret)@a,b:5432/prod\(tail)"
                case 3: "postgres://db.example/prod?user=app&password=\(secret)&sslmode=disable"
                default: "postgres://db.example?user=app&password=\(secret)"
                }
            let words = Self.words(on: url)
            for piece in Self.secrets where words.contains(piece) {
                Issue.record("\(piece) of \(url) is in: \(words)")
            }
        }
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `no URL traps`(seed: UInt64) async {
        var random = Generator(seed: seed)
        let parts =
            Self.secrets + Self.reserved + Self.tails + [
                "postgres://", "postgresql://", "host=", "port=", "dbname=", "user=", "password=", "\u{0}",
                "pool_size=",
                "lock_timeout=99999999999", "schema=%00", "prepared_statements=", "%ff", "[::1]", "%+f", "\n", "𝔘",
            ]
        for round in 0..<Self.rounds {
            if round.isMultiple(of: 100) { await Task.yield() }
            var url = Bool.random(using: &random) ? "postgres://" : ""
            for _ in 0..<Int.random(in: 0..<12, using: &random) { url += parts.randomElement(using: &random) ?? "" }
            #expect(!Self.words(on: url).isEmpty)
        }
    }

    /// Numbers that are the same each time (splitmix64).
    private struct Generator: RandomNumberGenerator {
        var seed: UInt64

        mutating func next() -> UInt64 {
            seed &+= 0x9e37_79b9_7f4a_7c15
            var result = seed
            result = (result ^ (result >> 30)) &* 0xbf58_476d_1ce4_e5b9
            result = (result ^ (result >> 27)) &* 0x94d0_49bb_1331_11eb
            return result ^ (result >> 31)
        }
    }
}
