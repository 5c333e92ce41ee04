import Foundation
import Holdfast

/// The flat object, of eleven columns.
@Table
final class Item: FlatItem {
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
