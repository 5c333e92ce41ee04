@_spi(Driver) public import Holdfast

extension DriverType {
    /// SQLite databases named by a URL, with the scheme `sqlite` or `file`.
    ///
    /// | URL | database |
    /// |---|---|
    /// | `sqlite:catalog.db`, `sqlite:data/catalog.db` | a path from the working directory |
    /// | `sqlite:/var/lib/catalog.db`, `sqlite:///var/lib/catalog.db` | an absolute path |
    /// | `sqlite::memory:`, `sqlite:?mode=memory` | ``SQLiteLocation/inMemory`` |
    ///
    /// After `?` come `mode=rwc`, `rw`, `ro` or `memory`, `synchronous=full`, `normal` or `off`, and
    /// `trusted_schema=on` or `off`. Other characters than those of a URL are percent-encoded. What follows `//` is a
    /// host, so `sqlite://catalog.db` is refused: other libraries don't agree on what it means.
    public static var sqlite: DriverType { .sqlite(mode: .create) }

    /// SQLite databases named by a URL as ``sqlite`` has it, opened in `mode` where the URL does not say otherwise.
    ///
    /// A program that only reads neither makes a file where a name is misspelt nor changes one:
    ///
    /// ```swift
    /// let db = try await Database.open(url, drivers: [.sqlite(mode: .readOnly), .postgres])
    /// ```
    ///
    /// - Parameter mode: Whether a file may be created, and whether it may be changed; of no meaning in memory.
    public static func sqlite(mode: SQLiteMode) -> DriverType {
        DriverType(schemes: ["sqlite", "file"], dialect: SQLiteDialect()) {
            try SQLiteOptions(url: $0, mode: mode).configuration
        }
    }
}

extension SQLiteOptions {
    /// Reads a URL as ``Holdfast/DriverType/sqlite`` documents it.
    init(url: String, mode: SQLiteMode = .create) throws {
        guard let colon = url.firstIndex(of: ":") else { throw Self.malformed("has no scheme") }
        let rest = url[url.index(after: colon)...]
        guard !rest.contains("#") else { throw Self.malformed("has a fragment; write # in a path as %23") }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)

        var path = parts[0]
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            let host = path.prefix { $0 != "/" }
            guard host.isEmpty || host == "localhost", path.count > host.count else {
                throw Self.malformed(
                    "has a host; write sqlite:name.db for a relative path, sqlite:///name.db for an absolute one"
                )
            }
            path = path.dropFirst(host.count)
        }
        let name = try Self.decoded(path)
        self.init(location: name == ":memory:" ? .inMemory : .file(name))

        self.mode = mode

        var seen: Set<String> = []
        for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (key, value) = (try Self.decoded(pair[0]), try Self.decoded(pair.count > 1 ? pair[1] : ""))
            guard seen.insert(key).inserted else { throw Self.malformed("has the parameter \"\(key)\" twice") }
            try set(key, value)
        }
        if location == .inMemory { self.mode = .create }
        if location == .file("") {
            throw Self.malformed("names no file; write sqlite:name.db, or sqlite::memory:")
        }
    }

    private mutating func set(_ key: String, _ value: String) throws {
        switch key {
        case "mode":
            if value == "memory", location == .file("") || location == .inMemory {
                location = .inMemory
            } else if let mode = SQLiteMode(rawValue: value), location != .inMemory {
                self.mode = mode
            } else {
                throw Self.malformed("has a \"mode\" that is none of rwc, rw, ro and (without a path) memory")
            }
        case "synchronous":
            guard let synchronous = SQLiteSynchronous(rawValue: value.lowercased()) else {
                throw Self.malformed("has a \"synchronous\" that is none of full, normal and off")
            }
            self.synchronous = synchronous
        case "trusted_schema":
            guard ["on", "off"].contains(value) else {
                throw Self.malformed("has a \"trusted_schema\" that is neither on nor off")
            }
            trustsSchema = value == "on"
        default:
            // A text that is no name may be the rest of a path whose "?" was not encoded.
            let name =
                key.wholeMatch(of: /[a-z_]{1,63}/) == nil ? "an unknown parameter" : "the unknown parameter \"\(key)\""
            throw Self.malformed("has \(name); SQLite takes mode, synchronous and trusted_schema")
        }
    }

    private static func decoded(_ text: Substring) throws -> String {
        guard let decoded = DatabaseURL.percentDecoded(text) else {
            throw malformed("has a % that is not followed by two hexadecimal digits other than 00, or no UTF-8 by them")
        }
        return decoded
    }

    private static func malformed(_ reason: String) -> DatabaseError {
        .malformedURL("The URL of the SQLite database \(reason).")
    }
}
