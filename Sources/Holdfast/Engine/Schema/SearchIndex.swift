/// An index for full text search, as a mapping requires it.
///
/// ```sql
/// CREATE INDEX "holdfast_search_note_…" ON "note" USING gin (holdfast_search_v1("title", "body")) -- PostgreSQL
/// CREATE VIRTUAL TABLE "holdfast_search_note_…" USING fts5("title", "body", …) -- SQLite, with triggers
/// ```
public struct SearchIndex: Hashable, Sendable {
    /// The name, with a hash of all that follows, so that an index of this name does what is asked.
    public let name: String
    /// The columns that are searched.
    public let columns: [String]
    /// The columns of the primary key.
    public let key: [KeyColumn]

    /// A column of the primary key.
    public struct KeyColumn: Hashable, Sendable {
        /// The name of the column.
        public let name: String
        /// The type of the column.
        public let type: ColumnType
    }

    /// The beginning of the names.
    @_spi(Driver) public static let namePrefix = DeleteRuleDefinition.namePrefix + "search_"

    /// The column that is the key by itself, if it holds integers.
    public var integerKey: String? {
        guard key.count == 1 else { return nil }
        switch key[0].type {
        case .int16, .int32, .int64: return key[0].name
        default: return nil
        }
    }

    init(of table: String, _ columns: [String], key: [KeyColumn]) {
        (self.columns, self.key) = (columns, key)
        let keys = key.map { "\($0.name) \($0.type)" }
        let hash = Naming.hash("1 \(table) \(columns) \(keys)").prefix(12)
        var beginning = ""
        for character in table {
            guard beginning.utf8.count + character.utf8.count <= 20 else { break }
            beginning.append(character)
        }
        name = "\(Self.namePrefix)\(beginning)_\(hash)"
    }

    /// The events of rows after which an engine without such indexes keeps them by triggers.
    @_spi(Driver) public enum Event: String, CaseIterable, Sendable {
        /// A row was inserted.
        case insert
        /// A row was updated.
        case update
        /// A row was deleted.
        case delete
    }

    /// The name of the trigger that keeps the index.
    @_spi(Driver) public func trigger(_ event: Event) -> String { "\(name)_\(event.rawValue)" }

    /// The index and the event of a trigger; nil if it is none of a search index.
    @_spi(Driver) public static func parts(ofTrigger name: String) -> (index: String, event: Event)? {
        guard name.hasPrefix(namePrefix), let end = name.lastIndex(of: "_"),
            let event = Event(rawValue: String(name[name.index(after: end)...]))
        else { return nil }
        return (String(name[..<end]), event)
    }
}
