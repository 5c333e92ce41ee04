import Holdfast

/// A model with every kind of index, and the same with a renamed property.
enum Catalogued {
    @Table(
        "catalogued",
        indexes: [
            .index("name", .descending("rank")), .unique("code", where: "gone IS NULL"),
            .index(.expression("lower(name)")), .index("rank", where: "gone > 1"),
        ])
    struct First {
        var id: Int64?
        var name: String
        var rank: Int?
        var code: String
        var gone: Int?
    }

    @Table(
        "catalogued",
        indexes: [
            .index("name", .descending("place")), .unique("code", where: "gone IS NULL"),
            .index(.expression("lower(name)")), .index("place", where: "gone > 1"),
        ])
    struct Second {
        var id: Int64?
        var name: String
        @Column(renamedFrom: "rank") var place: Int?
        var code: String
        var gone: Int?
    }
}
