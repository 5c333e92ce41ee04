import Foundation

/// Runs this program again, so that nobody finds what another has left behind.
enum ChildProcess {
    /// The output of a run.
    static func output(_ arguments: [String], environment: [String: String] = [:]) throws -> Data {
        guard let executable = Bundle.main.executablePath else { throw BenchError("This program can't find itself.") }
        return try output(of: executable, arguments, environment: environment)
    }

    /// The output of a program.
    static func output(
        of executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError(
                "\(executable) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus).")
        }
        return output
    }
}
