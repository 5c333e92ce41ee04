public import Holdfast

@Table
public final class Warehouse {
    public var id: Int64?
    public var name: String
    public var address: Address?
    public var capacity: Int = 0
    public var staff: [Employee] = []
    public var products: [Product] = []

    public init(name: String) {
        self.name = name
    }
}
