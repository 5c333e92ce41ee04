import Holdfast

/// A struct that is mapped by hand, through key paths.
struct Handmade: TableObject, Equatable {
    var code: String
    var size: Int?
    var parts: [String] = []

    static let tableMapping: TableMapping<Handmade> = .init(
        type: "Handmade",
        describe: { table in
            table.key("code", \.code)
            table.property("size", \.size, .column("extent"), .indexed)
            table.property("parts", \.parts)
        },
        decode: { row in
            Handmade(code: try row.decode(at: 0), size: try row.decode(at: 1), parts: try row.decode(at: 2))
        }
    )
}

/// A class that is mapped by hand and tracks no changes, so that it is saved whole.
final class Untracked: TableObject {
    var id: Int64?
    var name: String

    init(id: Int64? = nil, name: String) {
        self.id = id
        self.name = name
    }

    static let tableMapping: TableMapping<Untracked> = .init(
        type: "Untracked",
        describe: { table in
            table.key("id", \.id)
            table.property("name", \.name)
        },
        decode: { row in Untracked(id: try row.decode(at: 0), name: try row.decode(at: 1)) }
    )
}

/// A mapping that contradicts itself: two generated keys.
struct Contradictory: TableObject {
    var first: Int64?
    var second: Int64?

    static let tableMapping: TableMapping<Contradictory> = .init(
        type: "Contradictory",
        describe: { table in
            table.key("first", \.first)
            table.key("second", \.second)
        },
        decode: { row in Contradictory(first: try row.decode(at: 0), second: try row.decode(at: 1)) }
    )
}

/// A percentage that refuses what is none, both ways.
struct Percentage: Storable, Equatable {
    struct OutOfRange: Error {}

    var value: Int

    init(_ value: Int) { self.value = value }

    init(storedValue: Int) throws {
        guard (0...100).contains(storedValue) else { throw OutOfRange() }
        value = storedValue
    }

    var storedValue: Int {
        get throws {
            guard (0...100).contains(value) else { throw OutOfRange() }
            return value
        }
    }
}

@Table
struct Progressing: Equatable {
    let id: Int64
    var share: Percentage
    var history: [Percentage] = []
}
