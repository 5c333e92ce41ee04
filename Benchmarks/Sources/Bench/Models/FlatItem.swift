import Floor
import Foundation

/// What all contestants' flat objects have in common, so that they are made and compared by one piece of code.
protocol FlatItem {
    var id: Int64? { get }
    var name: String { get }
    var code: String { get }
    var note: String { get }
    var amount: Int { get }
    var rank: Int { get }
    var stock: Int { get }
    var price: Double { get }
    var weight: Double { get }
    var recordedAt: Date { get }
    var isActive: Bool { get }

    init(
        name: String, code: String, note: String, amount: Int, rank: Int, stock: Int, price: Double, weight: Double,
        recordedAt: Date, isActive: Bool)
}

extension FlatItem {
    init(_ data: FloorItem) {
        self.init(
            name: String(data.name), code: String(data.code), note: String(data.note), amount: Int(data.amount),
            rank: Int(data.rank), stock: Int(data.stock), price: data.price, weight: data.weight,
            recordedAt: Date(microseconds: data.recorded_at), isActive: data.is_active)
    }
}

extension FlatItem {
    /// Something of every kind of value, as the floor adds it up.
    var summand: UInt64 {
        let texts = name.utf8.count &+ code.utf8.count &+ note.utf8.count
        let numbers = Int(id ?? 0) &+ amount &+ rank &+ stock &+ (isActive ? 1 : 0)
        return UInt64(truncatingIfNeeded: texts &+ numbers) &+ price.bitPattern &+ weight.bitPattern
            &+ UInt64(bitPattern: recordedAt.microseconds)
    }
}

extension Checksum {
    /// Adds items as the floor adds its own.
    init(_ items: some Collection<some FlatItem>, withIDs: Bool) {
        self.init()
        add(items.count)
        for item in items {
            if withIDs { add(Int(item.id ?? 0)) }
            add(item.name)
            add(item.code)
            add(item.note)
            add(item.amount)
            add(item.rank)
            add(item.stock)
            add(item.price)
            add(item.weight)
            add(item.recordedAt)
            add(item.isActive ? 1 : 0)
        }
    }
}
