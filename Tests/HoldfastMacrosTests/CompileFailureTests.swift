import Foundation
import Testing

/// Programs that must not compile, and why: what users see, with errors of the type checker as well.
@Suite struct CompileFailureTests {
    @Test(arguments: try Program.all())
    func `a program has exactly the errors that it expects`(of program: Program) async throws {
        let outcome = try await program.compile()
        #expect(outcome.problems == program.expected, "\(outcome.output)")
        #expect(outcome.isSuccess == program.expected.isEmpty)
    }

    @Test func `there are programs, and most expect errors`() throws {
        let programs = try Program.all()
        #expect(
            programs.count { $0.expected.isEmpty } == programs.count { $0.url.lastPathComponent.hasPrefix("Accepted") }
        )
        #expect(programs.count { !$0.expected.isEmpty } > 5)
    }

    @Test func `a program that should compile, and one that should not, are told apart`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let good = "import Holdfast\n@Table struct A { var id: Int64? }\n"
        for (name, source) in [("good", good), ("bad", good.replacing("id", with: "key"))] {
            let url = directory.appending(path: "\(name).swift")
            try source.write(to: url, atomically: true, encoding: .utf8)
            let outcome = try await Program(url).compile()
            #expect(outcome.isSuccess == (name == "good"))
            #expect(outcome.problems.map(\.line) == (name == "good" ? [] : [2]))
        }
    }
}
