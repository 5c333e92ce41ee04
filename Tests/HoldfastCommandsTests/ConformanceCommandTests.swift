import ArgumentParser
import Testing

@testable import HoldfastCommands

@Suite struct ConformanceCommandTests {
    private func command(_ arguments: String...) throws -> ConformanceCommand {
        try #require(try HoldfastCommand.parseAsRoot(["conformance"] + arguments) as? ConformanceCommand)
    }

    private func status(_ arguments: String...) -> Int32 {
        do {
            _ = try HoldfastCommand.parseAsRoot(["conformance"] + arguments)
            return 0
        } catch {
            return HoldfastCommand.exitCode(for: error).rawValue
        }
    }

    @Test func `misuse ends with status 64`() {
        #expect(status() == 64)
        #expect(status("sqlite::memory:", "--jobs", "0") == 64)
        #expect(status("sqlite::memory:", "--timeout", "0") == 64)
        #expect(status("sqlite::memory:", "--filter", "nosuch") == 64)
        #expect(status("sqlite::memory:", "another") == 64)
        #expect(status("mysql://h/d") == 64)
        #expect(status("sqlite:/nowhere/at/all.db") == 64)
        #expect(status("postgres://u:p@h@host/db") == 64)
        #expect(status("sqlite::memory:?mode=ro") == 64)
        #expect(status("--list") == 0)
    }

    @Test func `an engine that conforms ends with success`() async throws {
        try await command("sqlite::memory:", "--filter", "val-4", "--json").run()
    }

    @Test func `a server that refuses connections is told once, by a status of its own`() async throws {
        let start = ContinuousClock.now
        await #expect(throws: ExitCode(69)) { try await command("postgres://nobody@127.0.0.1:1/nothing").run() }
        // Not as long as all cases take to fail.
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `the help says what a URL is, and what the status means`() {
        let help = ConformanceCommand.helpMessage(columns: 100)
        for words in [
            "sqlite:DIRECTORY", "postgres://", "exit status", "69 if", "--filter <prefix>", "--json", "--list",
            "--seed",
        ] {
            #expect(help.contains(words), "\(words)")
        }
    }
}
