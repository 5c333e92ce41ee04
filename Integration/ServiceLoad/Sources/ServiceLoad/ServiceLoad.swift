import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Asks instances of the service for pages, changes what they hold, and checks that what was acknowledged is there.
@main
struct ServiceLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service-load",
        abstract: "Asks instances of the service for pages, and checks that nothing acknowledged is lost.")

    @Option(name: .customLong("to"), help: "The address of an instance, such as http://127.0.0.1:8080; repeated.")
    var targets: [String]

    @Option(help: "How long, in seconds.")
    var seconds = 10.0

    @Option(help: "The number of clients at the same time.")
    var clients = 32

    @Option(help: "The share of requests that change something, in percent.")
    var writes = 10

    @Flag(help: "Fail if a request is refused or its answer lost, though other instances were asked as well.")
    var calm = false

    func run() async throws {
        var settings = HTTPClient.Configuration(timeout: .init(connect: .seconds(5), read: .seconds(40)))
        // A client of its own sees each failure, and decides by itself what may be sent again.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = clients * 2
        settings.redirectConfiguration = .disallow
        let http = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: settings)
        do {
            try await load(http)
            try await http.shutdown()
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    private func load(_ http: HTTPClient) async throws {
        let run = UInt32.random(in: 0 ..< .max)
        let until = ContinuousClock.now + .seconds(seconds)
        let start = ContinuousClock.now
        let (targets, writes) = (targets, writes)
        let results = try await withThrowingTaskGroup(of: Ledger.self) { group in
            for number in 0..<clients {
                group.addTask {
                    var client = LoadClient(http, targets, number: number, run: run)
                    return try await client.load(until: until, writes: writes)
                }
            }
            return try await group.reduce(into: [Ledger]()) { $0.append($1) }
        }
        let took = ContinuousClock.now - start
        let total = results.reduce(into: Ledger()) { $0.add($1) }
        print(total.report(in: took))
        var client = LoadClient(http, targets, number: 0, run: run)
        let faults = try await client.verify(results)
        for fault in faults.prefix(20) { print("✘ \(fault)") }
        if let unexpected = total.unexpected.first {
            print("✘ \(total.unexpected.count) answers that should not be, such as: \(unexpected)")
            throw ExitCode.failure
        }
        guard faults.isEmpty else { throw ExitCode.failure }
        if calm, total.refused + total.lost > 0 {
            print("✘ Requests were refused or lost, though nothing was wrong.")
            throw ExitCode.failure
        }
        print(
            "\(total.created.count) projects created and \(total.edits) edits acknowledged: all there; "
                + "\(total.refusedCreations.count) refused: none there.")
    }
}
