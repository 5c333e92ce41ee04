import Holdfast

/// Versions of a type with values that become arrays, and arrays that become values.
enum Wrapped {
    @Table("labelled")
    struct Values: Equatable {
        @PrimaryKey let group: String
        @PrimaryKey let number: Int32
        @Indexed var label: String?
        var rank: Int32 = 0
    }

    @Table("labelled")
    struct Arrays: Equatable {
        @PrimaryKey let group: String
        @PrimaryKey let number: Int32
        var label: [String] = []
        @Column(renamedFrom: "rank") var ranks: [Int]?
    }

    static let wrapping: [SchemaLoss] = [
        .wrapping(column: "label", of: "labelled", into: "labelled_label"),
        .wrapping(column: "rank", of: "labelled", into: "labelled_ranks"),
    ]

    static func unwrapping(keepsFirst: Bool = false) -> [SchemaLoss] {
        [
            .unwrapping(array: "labelled_label", into: "label", of: "labelled", keepsFirst: keepsFirst),
            .unwrapping(array: "labelled_ranks", into: "rank", of: "labelled"),
        ]
    }

    /// Has the wider number that the array has had.
    @Table("labelled")
    struct WideValues: Equatable {
        @PrimaryKey let group: String
        @PrimaryKey let number: Int32
        @Indexed var label: String?
        var rank: Int = 5
    }
}
