public import Foundation
public import Holdfast

@Table
public final class Order {
    public var id: Int64?
    public var number: String
    public var customer: Customer?
    public var placedAt: Date
    public var total: Decimal = 0
    public var lines: [OrderLine] = []
    public var note: String?

    public init(number: String, placedAt: Date) {
        self.number = number
        self.placedAt = placedAt
    }
}
