import Holdfast

/// Arrays whose order is declared: of the other side's references, of a set, and of the other side of a set.
enum Shelving {
    @Table("rack")
    final class Rack {
        var id: Int64?
        var name: String
        @Relation(inverse: \Volume.rack, order: [.descending(\Volume.year), .ascending(\Volume.title)])
        var volumes: [Volume] = []
        @Relation(joinTable: .unordered, order: [Ordering.ascending("word").ignoringCase]) var labels: [Label] = []

        init(_ name: String) { self.name = name }
    }

    @Table("rack_volume")
    final class Volume {
        var id: Int64?
        var title: String
        var year: Int?
        var rack: Rack?
        // Of one and the same class, whose mapping is not made when the order is declared.
        var series: Volume?
        @Relation(inverse: \Volume.series, order: [Ordering.descending(\Volume.year).nulls(.first)]) var parts:
            [Volume] = []

        init(_ title: String, _ year: Int?, in rack: Rack? = nil) {
            (self.title, self.year, self.rack) = (title, year, rack)
        }
    }

    /// Arrays with orders by what is no property of their objects.
    @Table("rack_wrong_name")
    final class WrongName {
        var id: Int64?
        @Relation(joinTable: .unordered, order: [.ascending("nothing")]) var labels: [Label] = []

        init() {}
    }

    @Table("rack_wrong_type")
    final class WrongType {
        var id: Int64?
        @Relation(joinTable: .unordered, order: [.ascending(\Volume.title)]) var labels: [Label] = []

        init() {}
    }

    @Table("rack_wrong_kind")
    final class WrongKind {
        var id: Int64?
        @Relation(joinTable: .unordered, order: [.ascending(\Label.racks)]) var labels: [Label] = []

        init() {}
    }

    @Table("rack_label")
    final class Label {
        var id: Int64?
        var word: String
        @Relation(inverse: \Rack.labels, order: [.descending("name")]) var racks: [Rack] = []

        init(_ word: String) { self.word = word }
    }
}
