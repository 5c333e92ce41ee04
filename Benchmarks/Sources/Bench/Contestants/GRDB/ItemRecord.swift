import Foundation
import GRDB

/// The flat object, as GRDB's documentation recommends where speed matters: conversions by hand, columns by index.
struct ItemRecord: FlatItem, Sendable {
    var id: Int64?
    var name: String
    var code: String
    var note: String
    var amount: Int
    var rank: Int
    var stock: Int
    var price: Double
    var weight: Double
    var recordedAt: Date
    var isActive: Bool

    init(
        name: String, code: String, note: String, amount: Int, rank: Int, stock: Int, price: Double, weight: Double,
        recordedAt: Date, isActive: Bool
    ) {
        self.name = name
        self.code = code
        self.note = note
        self.amount = amount
        self.rank = rank
        self.stock = stock
        self.price = price
        self.weight = weight
        self.recordedAt = recordedAt
        self.isActive = isActive
    }
}

extension ItemRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "item"

    enum Columns {
        static let id = Column("id")
        static let name = Column("name")
        static let code = Column("code")
        static let note = Column("note")
        static let amount = Column("amount")
        static let rank = Column("rank")
        static let stock = Column("stock")
        static let price = Column("price")
        static let weight = Column("weight")
        static let recordedAt = Column("recorded_at")
        static let isActive = Column("is_active")
    }

    static var databaseSelection: [any SQLSelectable] {
        [
            Columns.id, Columns.name, Columns.code, Columns.note, Columns.amount, Columns.rank, Columns.stock,
            Columns.price, Columns.weight, Columns.recordedAt, Columns.isActive,
        ]
    }

    /// The item of a key, by a statement that is prepared once: `fetchOne(_:key:)` writes and prepares its SQL each
    /// time, which takes several times as long.
    static func find(_ key: Int64, _ db: Database) throws -> ItemRecord {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, name, code, note, amount, rank, stock, price, weight, recorded_at, is_active
                FROM item WHERE id = ?
                """)
        guard let item = try fetchOne(statement, arguments: [key]) else { throw MissingObject(key: key) }
        return item
    }

    init(row: Row) {
        id = row[0]
        name = row[1]
        code = row[2]
        note = row[3]
        amount = row[4]
        rank = row[5]
        stock = row[6]
        price = row[7]
        weight = row[8]
        recordedAt = Date(microseconds: row[9])
        isActive = row[10]
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        container[Columns.name] = name
        container[Columns.code] = code
        container[Columns.note] = note
        container[Columns.amount] = amount
        container[Columns.rank] = rank
        container[Columns.stock] = stock
        container[Columns.price] = price
        container[Columns.weight] = weight
        container[Columns.recordedAt] = recordedAt.microseconds
        container[Columns.isActive] = isActive
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
