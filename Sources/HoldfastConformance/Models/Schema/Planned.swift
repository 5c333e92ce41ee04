import Foundation
import Holdfast

/// A shop whose next version changes in every way that a plan can have.
enum Planned {
    @Table("shop")
    final class Shop {
        var id: Int64?
        @Indexed var name: String
        @Indexed var price: String
        var size: Int32 = 1
        var owner: String?
        var remark: String?
        var words: [String] = []
        @Relation(deleteRule: .cascade) var items: [Item] = []
        @Relation(deleteRule: .cascade) var next: Shop?

        init(_ name: String, price: String) { (self.name, self.price) = (name, price) }
    }

    @Table("item")
    final class Item {
        var id: Int64?
        var text: String
        var weight: Int32 = 0

        init(_ text: String) { self.text = text }
    }

    @Table("draft")
    struct Draft {
        var id: Int64?
        @Indexed var text: String
    }

    /// Has other names and types, a column that rows need a value for, and an owner in a table of its own.
    @Table("store", renamedFrom: "shop", indexes: [.unique("title", "floor")])
    final class Store {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String
        @Indexed var price: Decimal
        var size: Double
        var floor: Int = 3
        @Unique var code: String?
        var words: [String] = []
        @Relation(deleteRule: .cascade) var items: [Thing] = []
        @Relation(deleteRule: .cascade) @Column(renamedFrom: "next") var following: Store?

        init(_ title: String) { (self.title, price, size) = (title, 0, 0) }
    }

    @Table("thing")
    final class Thing {
        var id: Int64?
        var text: String?
        var weight: Int64 = 0

        init(_ text: String) { self.text = text }
    }

    @Table("ownership")
    struct Ownership: Equatable {
        var id: Int64?
        @Indexed var name: String
        var shop: Int64
    }

    /// What comes before the types: the price becomes a number, and a table gets another name.
    static let conversion = Migration("price") { steps in
        steps.changeType(
            of: "price", in: "shop", to: .decimal, using: "CASE WHEN price = 'free' THEN 0 ELSE 12.5 END")
        steps.rename(table: "item", to: "thing")
        steps.rename(table: "shop_items", to: "store_items")
        steps.rename(column: "item_id", of: "store_items", to: "thing_id")
        steps.drop(table: "draft")
    }

    /// What comes after them: owners are rows of their own.
    static let split = Migration("owners", .afterTypes) { steps in
        steps.sql("INSERT INTO ownership (name, shop) SELECT owner, id FROM store WHERE owner IS NOT NULL")
    }

    static func schema(_ migrations: [Migration], concurrently: Bool = false) -> Schema {
        Schema(
            Store.self, Ownership.self, migrations: migrations,
            allowing: [.dropping(column: "owner", of: "store"), .dropping(column: "remark", of: "store")],
            buildsIndexesConcurrently: concurrently)
    }

    /// A database of the earlier version, with rows.
    static func fill(_ db: Database) async throws {
        let (first, second) = (Shop("a", price: "free"), Shop("b", price: "12.50"))
        (first.owner, first.words, first.next) = ("Ann", ["x", "y"], second)
        first.items = [Item("i"), Item("j")]
        try await db.save([first, second])
        _ = try await db.insert(Draft(text: "d"))
    }

    // MARK: Contradictions

    /// Contradicts ``Shop`` in several ways.
    @Table("shop")
    final class Wrong {
        var id: Int64?
        var name: Int
        var price: String
        var size: Int16
        var owner: String
        var remark: String
        var rating: Int

        init() { (name, price, size, owner, remark, rating) = (0, "", 0, "", "", 0) }
    }

    /// Contradicts ``Item``.
    @Table("item")
    struct WrongItem {
        var id: Int64?
        var text: Date
    }

    /// Has the name of another table.
    @Table("SHOP")
    struct Clashing {
        var id: Int64?
    }
}
