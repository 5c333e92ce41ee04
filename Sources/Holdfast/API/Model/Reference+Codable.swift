/// A reference as its key: what it holds besides, an object, is not encoded.
///
/// ```swift
/// struct NewInvoice: Decodable { let customer: Reference<Customer> }   // {"customer": 7}
/// ```
///
/// So a request sets a reference by the key alone, and nothing is fetched.
extension Reference: Codable {
    public init(from decoder: any Decoder) throws { self.init(key: try Key(from: decoder)) }

    public func encode(to encoder: any Encoder) throws {
        guard let key else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try key.encode(to: encoder)
    }
}
