// Models may have the names of Holdfast's own types.

import Foundation
@_spi(Driver) import Holdfast

@Table
final class Driver {
    var id: Int64?
    var name: String
    var row: Row?
    var statements: [Statement] = []
    @Relation(inverse: \Transaction.driver) var transactions: [Transaction] = []

    init(name: String) { self.name = name }
}

@Table
final class Statement {
    var id: UUID = UUID()
    @Unique var text: String = ""
    var cells: [Cell] = []
    @Timestamp(.created) var createdAt: Date?

    init() {}
}

@Table
struct Row {
    let id: Int64
    var key: Key?
}

@Table
struct Key {
    @PrimaryKey var code: String
    var values: [String] = []
}

@Table
final class Cell {
    var id: Int64?
    @Version var version = 0

    init() {}
}

@Table
class Transaction {
    var id: Int64?
    var driver: Driver?
    var query: Query?

    init() {}
}

@Table(inherits: Transaction.self)
final class Statements: Transaction {
    var count = 0
}

@Table
final class Query {
    var id: Int64?
    var amount: Decimal = 0
    var condition: Condition?

    init() {}
}

@Table
final class Condition {
    var id: Int64?

    init() {}
}

func use(_ db: Holdfast.Database) async throws -> [String] {
    try await db.save(Driver(name: "Ann"))
    return try await db.query(Driver.self).where { $0.name == "Ann" && $0.row.key.code == "x" }.fetch().map(\.name)
}
