import Foundation
import Synchronization
import Testing

/// A file of `Tests/CompileFailures`, with the errors that it expects.
///
/// `// expected-error: text` at the end of a line, or on lines of its own above it, expects an error there whose
/// message contains the text. An error in the expansion of a macro counts for the line of its attribute. No other
/// errors and no warnings may be there. A line `// flags: …` goes to the compiler.
struct Program: CustomTestStringConvertible {
    let url: URL
    let flags: [String]
    let expected: [Problem]

    var testDescription: String { url.lastPathComponent }

    static func all() throws -> [Program] {
        let directory = URL(filePath: #filePath).appending(path: "../../../CompileFailures").standardized
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }.map(Program.init)
    }

    init(_ url: URL) throws {
        self.url = url
        let lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let flagLine = lines.first { $0.hasPrefix("// flags: ") }
        flags = flagLine?.dropFirst(10).split(separator: " ").map(String.init) ?? []

        var expected: [Problem] = []
        var pending: [String] = []
        for (index, line) in lines.enumerated() {
            let parts = line.split(separator: "// expected-error: ", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { pending.append(String(parts[1])) }
            guard parts[0].contains(where: { !$0.isWhitespace }) else { continue }
            expected += pending.map { Problem(line: index + 1, message: $0) }
            pending = []
        }
        self.expected = expected.sorted()
    }
}

/// An error or a warning, or what one is expected to be.
struct Problem: Comparable, CustomStringConvertible {
    let line: Int
    let message: String

    var description: String { "line \(line): \(message)" }

    static func < (left: Problem, right: Problem) -> Bool { (left.line, left.message) < (right.line, right.message) }
}

extension Program {
    struct Outcome {
        let isSuccess: Bool
        let output: String
        /// What the compiler said, in the words that were expected where it said those.
        let problems: [Problem]
    }

    /// Compiles the program as a user of the library would.
    func compile() async throws -> Outcome {
        await Gate.compilers.enter()
        defer { Gate.compilers.leave() }
        let products = try Products()
        let arguments =
            [
                "swiftc", "-typecheck", "-parse-as-library", "-diagnostic-style=llvm", "-I", products.modules.path,
                "-load-plugin-executable", "\(products.plugin.path)#HoldfastMacros",
            ] + (flags.contains("-swift-version") ? [] : ["-swift-version", "6"]) + flags + [url.path]
        let (status, output) = try await run(arguments)
        var problems = problems(in: output)
        for expectation in expected {
            let index = problems.firstIndex {
                $0.line == expectation.line && $0.message.contains(expectation.message) && !expected.contains($0)
            }
            if let index { problems[index] = expectation }
        }
        return Outcome(isSuccess: status == 0, output: output, problems: problems.sorted())
    }

    /// The errors and warnings in what the compiler wrote; those in macro expansions at the line of their attribute.
    private func problems(in output: String) -> [Problem] {
        var found: [Problem] = []
        var expanded: String?
        for line in output.split(separator: "\n") {
            guard let match = line.wholeMatch(of: /(.+?):(\d+):\d+: (error|warning|note): (.*)/) else { continue }
            let isHere = match.1 == url.path
            let message = match.3 == "warning" ? "warning: \(match.4)" : String(match.4)
            if match.3 == "note" {
                guard let inner = expanded, isHere, match.4.hasPrefix("in expansion of macro") else { continue }
                found.append(Problem(line: Int(match.2) ?? 0, message: inner))
                expanded = nil
            } else if isHere {
                found.append(Problem(line: Int(match.2) ?? 0, message: message))
            } else {
                if let expanded { found.append(Problem(line: 0, message: expanded)) }
                expanded = message
            }
        }
        if let expanded { found.append(Problem(line: 0, message: expanded)) }
        return found
    }

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID()).txt")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = try FileHandle(forWritingTo: file)
        process.standardOutput = process.standardError
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return (status, try String(contentsOf: file, encoding: .utf8))
    }
}

/// Where this build put the library and its macros.
private struct Products {
    let modules: URL
    let plugin: URL

    init() throws {
        // `…/debug/holdfastPackageTests.xctest`, as the program itself or, on macOS, as its argument.
        guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }),
            let end = bundle.firstRange(of: ".xctest")
        else { throw CocoaError(.fileNoSuchFile) }
        let directory = URL(filePath: String(bundle[..<end.lowerBound])).deletingLastPathComponent()
        // Tests of macros are built for the host, and with them the library; for the target only if that is asked for.
        modules = directory.appending(path: "Modules-tool")
        plugin = directory.appending(path: "HoldfastMacros-tool")
    }
}

/// Lets two compilers run at a time.
private final class Gate: Sendable {
    static let compilers = Gate(2)

    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ free: Int) { state = Mutex((free, [])) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
