import Foundation

extension TableDescription {
    /// A time as the column of the deletion holds it: one row of one cell.
    func deletionTime(_ time: Date, _ deletion: DeletionDate) throws -> ParameterBuffer {
        var encoder = CellEncoder(width: 1)
        try time._encode(into: &encoder, deletion.storage)
        return encoder.buffer
    }

    /// The time that the column of the deletion holds.
    func deletionTime(in cell: Cell, _ deletion: DeletionDate) throws -> Date {
        var cell = cell
        cell.storage = deletion.storage
        return try Date._decode(cell)
    }

    /// The time of a deletion that happens now.
    static func deletionTime() throws -> Date { Date(microseconds: try Date().roundedToMicroseconds()) }

    /// The column of the deletion, which operations need that mark rows or take the marks off.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` for a type whose rows are deleted.
    func requiredDeletion() throws -> DeletionDate {
        if let deletion { return deletion }
        throw DatabaseError(
            .unsupported,
            "\(type) has no time of deletion, so its rows are deleted, and none is there to be found or restored. Declare one, by `@Timestamp(.deleted) var deletedAt: Date?`.",
            table: table)
    }

    /// The properties that are set where a row is marked.
    var markedMask: PropertyMask { masks.deletion.union(versionMask) }

    /// Whether marking an object marks others, by what its relations say, or is refused by what it leads to.
    var marksMore: Bool {
        columns.relations.contains { $0.deleteRule == .deny || $0.marksTarget }
    }
}

extension Relation {
    /// Whether its objects are marked with their owner.
    var marksTarget: Bool { deleteRule == .cascade && target.description.deletion != nil }
}
