public import Holdfast

@Table
public final class Supplier {
    public var id: Int64?
    public var name: String
    public var rating: Int = 0
    public var address: Address?

    public init(name: String) {
        self.name = name
    }
}
