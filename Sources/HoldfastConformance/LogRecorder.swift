import Logging
import Synchronization

/// Collects what is logged, as text.
final class LogRecorder: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    /// A logger of everything.
    var logger: Logger { logger() }

    /// A logger from a level on, whose lines also have what a provider says.
    func logger(_ level: Logger.Level = .trace, provider: Logger.MetadataProvider? = nil) -> Logger {
        var logger = Logger(
            label: "conformance",
            factory: { _ in
                var handler = Handler(recorder: self)
                handler.metadataProvider = provider
                return handler
            })
        logger.logLevel = level
        return logger
    }

    /// Takes the lines that have come so far.
    func take() -> [String] {
        state.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).merging(metadataProvider?.get() ?? [:]) { $1 }
            let words = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            recorder.state.withLock { $0.append("\(event.level) \(event.message) \(words)") }
        }
    }
}
