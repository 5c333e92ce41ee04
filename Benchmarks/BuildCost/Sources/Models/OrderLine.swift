public import Foundation
public import Holdfast

@Table
public final class OrderLine {
    public var id: Int64?
    public var product: Product?
    public var quantity: Int = 1
    public var price: Decimal = 0

    public init() {
    }
}
