@_spi(Driver) public import Holdfast

/// Where an SQLite database is.
public enum SQLiteLocation: Hashable, Sendable {
    /// A file; a relative path is taken from the working directory at the time the database is opened.
    case file(String)
    /// A database of its own that exists from `open` to `close`, and means what a file means.
    ///
    /// It is a file in a directory that only this user can enter, on a RAM disk where there is one, so that its
    /// readers and its writer don't wait for each other; it is deleted when the database is closed.
    case inMemory
}

/// Whether a database file may be made, and whether it may be changed.
public enum SQLiteMode: String, Hashable, Sendable, CaseIterable {
    /// Read and write; an absent file is created. In a URL: `mode=rwc`.
    case create = "rwc"
    /// Read and write a file that exists. In a URL: `mode=rw`.
    case readWrite = "rw"
    /// Only read a file that exists; whatever would write throws `readOnly`. In a URL: `mode=ro`.
    ///
    /// The file itself stays as it is. For a file in write-ahead-log mode, which every file written by Holdfast is,
    /// SQLite needs a `-wal` and a `-shm` file beside it. They must exist, or the directory must be writable.
    case readOnly = "ro"
}

/// When a commit counts as done.
public enum SQLiteSynchronous: String, Hashable, Sendable, CaseIterable {
    /// When it is on the disk: what was committed survives a loss of power.
    case full
    /// When the operating system has it: it survives a crash of the program, and after a loss of power the database
    /// is sound but may lack the last commits. Far more commits a second.
    case normal
    /// As `normal`, and a loss of power may damage the file.
    case off
}

/// Everything that opening an SQLite database needs to know beyond a `DatabaseConfiguration`.
struct SQLiteOptions: Hashable, Sendable {
    var location: SQLiteLocation
    var mode = SQLiteMode.create
    var synchronous = SQLiteSynchronous.full
    var trustsSchema = false
    /// The files that every connection attaches, by the names of their schemas.
    var attached: [String: String] = [:]

    var configuration: DatabaseConfiguration {
        DatabaseConfiguration { try SQLiteDriver(self, $0) }
    }
}

extension DatabaseConfiguration {
    /// The SQLite database in the file at `path`.
    ///
    /// ```swift
    /// let db = try await Database.open(.sqlite(path: "catalog.db"))
    /// ```
    ///
    /// An error in the path or the file is reported when the database is opened.
    ///
    /// - Parameters:
    ///   - path: The file; `:memory:` means ``SQLiteLocation/inMemory``.
    ///   - mode: Whether the file may be created, and whether it may be changed.
    ///   - synchronous: When a commit counts as done.
    ///   - attached: Other files that every connection attaches, by the names of their schemas: types are in them by
    ///     `@Table(schema: "sales")`. They have to exist. A transaction that changes several files is atomic, unless
    ///     the power fails during its commit: then one file may have it and another not.
    ///   - trustsSchema: Whether triggers, views and indexes of the file may use virtual tables, such as a full-text
    ///     index, and functions that SQLite does not call harmless: in some versions, such as 3.40, these are those of
    ///     JSON, which an index of a value inside a document needs. Say so only of a file whose author you trust: the
    ///     SQL of a trigger runs with your program's rights. See `PRAGMA trusted_schema` in SQLite's documentation.
    public static func sqlite(
        path: String,
        mode: SQLiteMode = .create,
        synchronous: SQLiteSynchronous = .full,
        attached: [String: String] = [:],
        trustsSchema: Bool = false
    ) -> DatabaseConfiguration {
        let location = path == ":memory:" ? SQLiteLocation.inMemory : .file(path)
        return SQLiteOptions(
            location: location, mode: mode, synchronous: synchronous, trustsSchema: trustsSchema, attached: attached
        )
        .configuration
    }

    /// The SQLite database at `location`.
    ///
    /// ```swift
    /// let db = try await Database.open(.sqlite(.inMemory))
    /// ```
    public static func sqlite(_ location: SQLiteLocation) -> DatabaseConfiguration {
        SQLiteOptions(location: location).configuration
    }
}
