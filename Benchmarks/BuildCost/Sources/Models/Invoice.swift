public import Foundation
public import Holdfast

@Table
public final class Invoice {
    public var id: Int64?
    public var number: String
    public var order: Order?
    public var dueAt: Date
    public var isPaid: Bool = false
    public var amount: Decimal = 0

    public init(number: String, dueAt: Date) {
        self.number = number
        self.dueAt = dueAt
    }
}
