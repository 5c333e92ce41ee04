import Holdfast

/// Objects that are deleted when their owner lets them go.
enum Parcels {
    @Table("parcel")
    final class Parcel {
        var id: Int64?
        var name: String
        @Version var version = 0
        @Relation(inverse: \Line.parcel, deleteRule: .cascade, order: [.ascending(\Line.position)], orphans: .delete)
        var lines: [Line] = []
        @Relation(inverse: \Tag.parcel, orphans: .delete) var tag: Tag?

        init(_ name: String) { self.name = name }
    }

    @Table("parcel_line", indexes: [.unique("parcel", "position")])
    final class Line {
        var id: Int64?
        @Required var parcel: Parcel?
        var position: Int
        @Version var version = 0
        @Relation(inverse: \Part.line, deleteRule: .cascade) var parts: [Part] = []

        init(_ position: Int) { self.position = position }
    }

    @Table("parcel_part")
    final class Part {
        var id: Int64?
        var name: String
        var line: Line?

        init(_ name: String) { self.name = name }

        func willDelete(in transaction: Transaction) async throws {
            try await transaction.save(Note("will delete \(name)"))
        }
    }

    @Table("parcel_tag")
    final class Tag {
        var id: Int64?
        var text: String
        var parcel: Parcel?

        init(_ text: String) { self.text = text }
    }

    /// Shows a join table, in which an object may be of several.
    @Table("parcel_shared")
    final class Shared {
        var id: Int64?
        @Relation(inverse: \Holder.shared, orphans: .delete) var holders: [Holder] = []

        init() {}
    }

    @Table("parcel_holder")
    final class Holder {
        var id: Int64?
        var shared: [Shared] = []

        init() {}
    }
}
