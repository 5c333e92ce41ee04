import ArgumentParser
import Foundation

/// A TCP proxy whose connections fail at random.
struct ProxyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy", abstract: "Stand between a program and a server, and fail at random.")

    @Option(help: "The port of the server, on 127.0.0.1.") var server: UInt16
    @Option(help: "The seed of the faults.") var seed: UInt64 = 1

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let listener = try Socket.listen()
        print(try listener.port)
        fflush(nil)
        var random = SeededRandom(seed: seed)
        while let client = listener.accept() {
            guard let server = Socket.connect(port: server) else {
                client.close()
                continue
            }
            let fault = Fault.allCases.randomElement(using: &random) ?? .none
            // Later than the first statements, or in the middle of one.
            let moment = Double.random(in: 0...3, using: &random)
            ProxiedConnection(client: client, server: server, fault: fault, moment: moment).start()
        }
    }
}
