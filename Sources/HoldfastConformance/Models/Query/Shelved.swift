import Holdfast

/// A model with indexes of values inside a document, later versions of it, and some that are refused.
enum Shelved {
    struct Parcel: Codable, Equatable {
        struct Address: Codable, Equatable { var city: String }

        var address: Address
        var sizes: [Int]
        var weight: Double
        var code: String
        var number: Int

        static func sample(_ number: Int) -> Parcel {
            Parcel(
                address: Address(city: "city \(number)"), sizes: [number, 1], weight: Double(number) / 2,
                code: "c\(number)", number: number)
        }
    }

    @Table(
        "shelved",
        indexes: [
            .index(.json("body", "address.city", as: String.self)), .index(.json("body", "sizes[0]", as: Int.self)),
            .index(.json("body", "weight", as: Double.self)), .unique(.json("body", "code", as: String.self)),
            .index("rank", .json("body", "code", as: String.self)),
        ])
    struct First {
        var id: Int64?
        var rank = 0
        var body: Parcel
    }

    @Table(
        "shelved",
        indexes: [
            .index(.json("content", "address.city", as: String.self)),
            .index(.json("content", "sizes[0]", as: Int.self)),
            .index(.json("content", "weight", as: Double.self)), .unique(.json("content", "code", as: String.self)),
            .index("rank", .json("content", "code", as: String.self)),
        ])
    struct Second {
        var id: Int64?
        var rank = 0
        @Column(renamedFrom: "body") var content: Parcel
    }

    @Table("shelved")
    struct Third {
        var id: Int64?
        var rank = 0
    }

    @Table("shelved_of_number", indexes: [.index(.json("rank", "a", as: Int.self))])
    struct OfNumber {
        var id: Int64?
        var rank = 0
    }

    @Table("shelved_by_no_path", indexes: [.index(.json("body", "a..b", as: Int.self))])
    struct ByNoPath {
        var id: Int64?
        var body: Parcel
    }
}
