import ArgumentParser
import Foundation
import Synchronization

/// A TCP proxy whose connections fail at random.
struct ProxyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy", abstract: "Stand between a program and a server, and fail at random.")

    @Option(help: "The port of the server, on 127.0.0.1.") var server: UInt16
    @Option(help: "The seed of the faults.") var seed: UInt64 = 1

    func run() throws {
        let random = Mutex(SeededRandom(seed: seed))
        let proxy = try FaultyProxy(server: server) { random.withLock { Self.plan(&$0) } }
        print(proxy.port)
        fflush(nil)
        while true { sleep(1_000) }
    }

    /// Chooses how and when a connection fails: after its first statements, or in the middle of one.
    private static func plan(_ random: inout SeededRandom) -> @Sendable () -> Fault {
        let fault = Fault.allCases.randomElement(using: &random) ?? .none
        let start = ContinuousClock.now + .seconds(Double.random(in: 0...3, using: &random))
        return {
            let now = ContinuousClock.now
            guard now >= start else { return .none }
            return switch fault {
            case .stalls: now < start + .seconds(1.5) ? .stalls : .none
            // A connection that never answers ends some time, with its server's process.
            case .answersAreLost, .requestsAreLost: now < start + .seconds(8) ? fault : .closes
            default: fault
            }
        }
    }
}
