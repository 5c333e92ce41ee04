import ArgumentParser
import Floor
import Foundation

/// Makes the databases that the processes work on, and removes them.
///
/// What is only read is made once for each content, by the floor, and shared.
final class DatabaseStore {
    private let engine: Engine
    private let server: String
    private let directory: URL
    private var shared: [Filling: DatabaseLocation] = [:]
    private var made = 0

    /// - Parameter server: The URL of the server's database; not used on SQLite.
    init(_ engine: Engine, server: String) throws {
        self.engine = engine
        self.server = server
        directory = FileManager.default.temporaryDirectory.appending(path: "holdfast-bench-\(getpid())-\(engine)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// A database for a work.
    func location(for order: Order) throws -> DatabaseLocation {
        guard order.onlyReads else { return try make(order.filling) }
        if let location = shared[order.filling] { return location }
        let location = try make(order.filling)
        shared[order.filling] = location
        return location
    }

    /// Removes a database that a work has changed.
    func discard(_ location: DatabaseLocation, after order: Order) throws {
        if !order.onlyReads { try remove(location) }
    }

    /// Removes everything.
    func close() throws {
        for location in shared.values { try remove(location) }
        shared = [:]
        try FileManager.default.removeItem(at: directory)
    }

    private func make(_ filling: Filling) throws -> DatabaseLocation {
        made += 1
        var location = DatabaseLocation.parseOrExit(["--engine", engine.rawValue, "--database", server])
        switch engine {
        case .sqlite: location.database = directory.appending(path: "\(made).db").path
        case .postgres:
            location.schema = "bench_\(getpid())_\(made)"
            try execute("CREATE SCHEMA \(location.schema)")
        }
        guard filling != .nothing else { return location }
        _ = try ChildProcess.output(
            ["fill"] + location.arguments + [
                "--items", "\(filling.items)", "--projects", "\(filling.projects)", "--nodes", "\(filling.nodes)",
            ])
        return location
    }

    private func remove(_ location: DatabaseLocation) throws {
        switch engine {
        case .sqlite:
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: location.database + suffix)
            }
        case .postgres: try execute("DROP SCHEMA \(location.schema) CASCADE")
        }
    }

    private func execute(_ sql: String) throws {
        let database = floor_open_postgres(server, "public", 1)
        defer { floor_close(database) }
        floor_execute(database, sql)
    }
}

extension DatabaseLocation {
    /// As a process of ours is told it.
    var arguments: [String] {
        ["--engine", engine.rawValue, "--database", database] + (schema.isEmpty ? [] : ["--schema", schema])
    }
}
