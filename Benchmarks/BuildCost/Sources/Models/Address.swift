public import Holdfast

@Table
public final class Address {
    public var id: Int64?
    public var street: String
    public var city: String
    public var postcode: String
    public var country: String

    public init(street: String, city: String, postcode: String, country: String) {
        self.street = street
        self.city = city
        self.postcode = postcode
        self.country = country
    }
}
