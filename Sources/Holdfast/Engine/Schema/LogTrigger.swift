/// A trigger that writes the changes of a table into the change log.
///
/// It inserts rows into ``table``, as ``ChangeLogDialect/createTrigger(_:)`` says.
@_spi(Driver) public struct LogTrigger: Hashable, Sendable {
    /// The table of the log.
    public static let table = "holdfast_log"

    /// A statement after which a trigger runs.
    public enum Event: String, Sendable {
        /// Rows were inserted.
        case insert
        /// Rows were updated.
        case update
        /// Rows were deleted.
        case delete
        /// All rows were removed by a statement of their own; on engines that have one.
        case truncate
    }

    /// The name of the trigger, and of its function where the engine has one.
    ///
    /// It has a hash of all that follows, so that a trigger of this name does what is asked.
    public let name: String
    /// The table that has the trigger.
    public let source: String
    /// The statement after which it runs.
    public let event: Event
    /// The table under which changes are logged: ``source``, or the owner's for a table of an array.
    public let loggedTable: String
    /// The columns of ``source`` that hold the key of the changed row, in the order of the key.
    public let keyColumns: [String]
    /// The columns of the key in ``loggedTable``.
    public let ownerKeyColumns: [String]
    /// All columns of ``source``, in alphabetical order.
    public let columns: [String]
    /// The column of which a change is logged, where ``source`` is the table of an array: by the array's property.
    public let array: String?
    /// Whether values are logged that are replaced or removed.
    public let includesOldValues: Bool
    /// Whether it has to run for each row, on engines where statements may name a part of the table instead of it.
    public var runsForRows = false

    /// The beginning of all their names.
    public static let namePrefix = DeleteRuleDefinition.namePrefix + "log_"
    private static let oldValuesSuffix = "_old"

    init(_ event: Event, _ definition: TableDefinition, columns: [String], includesOldValues: Bool) {
        self.event = event
        source = definition.name
        loggedTable = definition.logged.table
        keyColumns = definition.logged.keyColumns
        ownerKeyColumns = definition.logged.ownerKeyColumns
        array = definition.logged.array
        self.columns = columns.sorted()
        self.includesOldValues = includesOldValues
        let hash = Naming.hash(
            "2 \([source, loggedTable, array ?? ""]) \([keyColumns, ownerKeyColumns, self.columns]) \(event.rawValue)")
        var beginning = ""
        for character in source {
            guard beginning.utf8.count + character.utf8.count <= 20 else { break }
            beginning.append(character)
        }
        name =
            "\(Self.namePrefix)\(beginning)_\(event.rawValue)_\(hash)"
            + (includesOldValues ? Self.oldValuesSuffix : "")
    }

    /// What a trigger of a name logs; nil if it is no such trigger.
    static func log(ofTrigger name: String) -> TableLog? {
        guard name.hasPrefix(namePrefix) else { return nil }
        return name.hasSuffix(oldValuesSuffix) ? .oldValues : .changes
    }

    /// The statement after which a trigger of a name runs; nil if it is no such trigger.
    static func event(ofTrigger name: String) -> Event? {
        guard let log = log(ofTrigger: name) else { return nil }
        let rest = log == .oldValues ? name.dropLast(oldValuesSuffix.count) : name[...]
        let parts = rest.split(separator: "_")
        return parts.count < 2 ? nil : Event(rawValue: String(parts[parts.count - 2]))
    }
}

/// What the change log calls the rows of a table.
struct LoggedTable: Hashable, Sendable {
    /// What the mapping asks to be logged.
    var log: TableLog = .none
    /// The table of the type.
    var table: String
    /// The columns that hold the key of that table's row.
    var keyColumns: [String]
    /// The columns of the key in that table.
    var ownerKeyColumns: [String]
    /// The property of an array, if the rows are its elements.
    var array: String?
    /// The names that this may have had.
    var formerArrays: [String] = []
}
