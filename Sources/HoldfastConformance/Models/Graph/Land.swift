import Holdfast

/// Is referred to by a unique property that is not its key.
@Table
final class Land {
    var id: Int64?
    @Unique var code: String
    var name: String
    @Relation(inverse: \Town.land, loading: .eager) var towns: [Town] = []

    init(_ code: String, _ name: String = "") { (self.code, self.name) = (code, name) }
}

@Table
final class Town {
    var id: Int64?
    @Unique var name: String
    @Relation(references: \Land.code) var land: Land?
    @Relation(references: \Town.name) @Column("twin_town") var twin: Town?

    init(_ name: String, _ land: Land? = nil) { (self.name, self.land) = (name, land) }
}

/// Holds a land, which goes with it.
@Table
final class Flag {
    var id: Int64?
    @Relation(references: \Land.code, deleteRule: .cascade) var land: Land?

    init(_ land: Land?) { self.land = land }
}

/// An earlier version of a town.
@Table("town")
struct Hamlet {
    var id: Int64?
    @Unique var name: String
}

/// References that can't hold what they name.
enum Misplaced {
    @Table("flag")
    final class ByName {
        var id: Int64?
        @Relation(references: \Land.name) var land: Land?
        init() {}
    }

    @Table("flag")
    final class ByReference {
        var id: Int64?
        @Relation(references: \Land.code) var land: Reference<Land>?
        init() {}
    }

    @Table("flag")
    final class Unchecked {
        var id: Int64?
        @Relation(references: \Land.code, foreignKey: false) var land: Land?
        init() {}
    }
}
