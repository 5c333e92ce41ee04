import ArgumentParser
import Foundation
import Holdfast
import Testing

@testable import CatalogExample

/// Commands that read leave no trace.
@Suite struct ReadOnlyTests {
    @Test(arguments: ["stats", "search x", "show x", "needs x", "verify INDEX"])
    func `a command that reads makes no file where a name is misspelt`(line: String) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let index = directory.appendingPathComponent("index")
        try Data(stanza("a", "Section: libs", "Maintainer: Ada").utf8).write(to: index)
        let arguments = line.replacing("INDEX", with: index.path).split(separator: " ").map(String.init)
        func run(_ arguments: [String], _ database: String) async throws {
            var command = try CatalogCommand.parseAsRoot(arguments + ["--db", database])
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        }
        let path = directory.appendingPathComponent("typo.db").path
        for database in ["sqlite:\(path)", path] {
            let error = try await #require(throws: DatabaseError.self) { try await run(arguments, database) }
            #expect(error.code == .cannotConnect)
            #expect(error.message.contains(path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["index"])
        }
        // It reads what was imported.
        try await run(["import", index.path], path)
        let found = line.replacing(" x", with: " a").replacing("INDEX", with: index.path)
        try await run(found.split(separator: " ").map(String.init), path)
    }
}
