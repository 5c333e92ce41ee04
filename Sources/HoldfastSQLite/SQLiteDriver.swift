import CSQLite
@_spi(Driver) import Holdfast
import Synchronization

/// SQLite at one file.
final class SQLiteDriver: Driver {
    let dialect: any Dialect
    let sharing = ConnectionSharing.singleWriter

    let options: SQLiteOptions
    let path: String
    let telemetryTarget: TelemetryTarget
    let settings: SQLiteSession.Settings
    private let connectTimeout: Duration
    private let temporaryDirectory: TemporaryDirectory?
    /// The functions of the program that each connection has.
    private let functions: [ProgramFunction]
    let workers = WorkerPool()
    private let deadlines = Deadlines()
    private let checkpointer: Checkpointer
    /// Counts the files that were found to have taken each other's place: connections to an earlier one are given up.
    let file = Atomic<Int>(0)

    /// The first version that has both `STRICT` and `RETURNING`.
    private static let oldestVersion: Int32 = 3_037_000

    /// Prepares to open what `options` name; nothing is opened yet.
    init(_ options: SQLiteOptions, _ configuration: DatabaseConfiguration) throws {
        guard sqlite3_libversion_number() >= Self.oldestVersion else {
            throw DatabaseError(
                .unsupported,
                "SQLite \(String(cString: sqlite3_libversion())) is too old; install 3.37 or later."
            )
        }
        guard sqlite3_threadsafe() != 0 else {
            throw DatabaseError(.unsupported, "SQLite was built for one thread only; install a build with threads.")
        }
        var options = options
        try ProgramFunction.check(configuration.functions, mostArguments: DatabaseHandle.mostArguments)
        functions = configuration.functions
        switch options.location {
        case .file(let path):
            self.telemetryTarget = TelemetryTarget(systemName: "sqlite", namespace: path)
            self.path = try Self.absolute(path)
            self.temporaryDirectory = nil
        case .inMemory:
            self.telemetryTarget = TelemetryTarget(systemName: "sqlite", namespace: ":memory:")
            let directory = try TemporaryDirectory()
            self.path = directory.path + "/database"
            self.temporaryDirectory = directory
            options.synchronous = .off  // nothing of it is to outlive the process
        }
        for (name, path) in options.attached {
            guard !name.isEmpty, !["main", "temp"].contains(name.lowercased()), !name.utf8.contains(0) else {
                throw DatabaseError(
                    .invalidValue,
                    "A file can't be attached as \"\(name)\", which SQLite has for itself. Choose another name.")
            }
            let file = try Self.absolute(path)
            // SQLite would make an empty one.
            guard exists(file) else {
                throw DatabaseError(
                    .cannotConnect, "There is no database file \"\(file)\" to be attached as \"\(name)\".")
            }
            options.attached[name] = file
        }
        var dialect = SQLiteDialect()
        dialect.hasAttached = !options.attached.isEmpty
        dialect.trustsSchema = options.trustsSchema
        self.dialect = dialect
        self.options = options
        self.connectTimeout = configuration.timeouts.connect
        self.settings = SQLiteSession.Settings(
            synchronous: options.synchronous,
            lockTimeout: configuration.timeouts.lock,
            showsValues: configuration.telemetry.showsValues
        )
        self.checkpointer = Checkpointer(
            path: path, attached: options.attached, synchronous: options.synchronous)
    }

    deinit { stopThreads() }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await workers.run { [self] in
                SQLiteConnection(try openSession(role, isCancelled), driver: self, workers: workers)
            }
        } onCancel: {
            isCancelled.raise()
        }
    }

    func shutdown() async {
        if temporaryDirectory == nil {
            // If no thread can be had, the log stays as it is: whoever opens the file next takes it from there.
            try? await workers.run { [checkpointer] in checkpointer.finish() }
        }
        stopThreads()
        temporaryDirectory?.remove()
    }

    private func stopThreads() {
        checkpointer.stop()
        deadlines.stop()
        workers.stop()
    }

    private func openSession(_ role: ConnectionRole, _ isCancelled: Flag) throws -> SQLiteSession {
        do throws(ResultCode) {
            let database = try DatabaseHandle.open(
                path: path,
                options,
                role: role,
                until: .now.advanced(by: connectTimeout),
                isCancelled: { isCancelled.isRaised }
            )
            try database.register(functions)
            return SQLiteSession(
                database,
                settings,
                deadlines: deadlines,
                checkpointer: role == .write ? checkpointer : nil
            )
        } catch {
            if isCancelled.isRaised {
                throw DatabaseError(.cancelled, "The task was cancelled while the database was opened.")
            }
            var failure = DatabaseError(opening: error, showsValues: settings.showsValues)
            if error.code & 0xff == SQLITE_CANTOPEN, temporaryDirectory == nil {
                let isMissing = options.mode != .create && !exists(path)
                failure.message =
                    isMissing
                    ? "There is no database file \"\(path)\"."
                    : "The database file \"\(path)\" can't be opened: see that its directory exists, that it is a file, and "
                        + "that this process may read and write both."
            } else if temporaryDirectory == nil {
                failure.message += " The file is \"\(path)\"."
            }
            throw failure
        }
    }

    /// `path` from the root, so that it means the same file when the working directory changes.
    private static func absolute(_ path: String) throws -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DatabaseError(
                .cannotConnect,
                "The path of the database is empty or has a NUL character; name a file."
            )
        }
        if path.hasPrefix("/") { return path }
        guard let directory = currentDirectory() else {
            throw DatabaseError(.cannotConnect, "The working directory can't be read; give an absolute path.")
        }
        return directory + "/" + path
    }
}
