public import Foundation
public import Holdfast

@Table
public final class Product {
    public var id: Int64?
    public var title: String
    public var sku: String
    public var price: Decimal
    public var weight: Double = 0
    public var labels: [String] = []
    public var supplier: Supplier?

    public init(title: String, sku: String, price: Decimal) {
        self.title = title
        self.sku = sku
        self.price = price
    }
}
