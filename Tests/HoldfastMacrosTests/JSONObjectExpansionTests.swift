import Testing

@testable import HoldfastMacros

@Suite struct JSONObjectExpansionTests {
    @Test func `a document writes down its coding keys`() {
        let code = expanded(
            """
            @JSONObject
            public struct Place: Codable {
                enum CodingKeys: String, CodingKey {
                    case city = "town", tags, `default`
                }
                var city: String, cache = 1
                var tags: [String] { didSet { print(oldValue) } }
                var `default`: Int
                var isLarge: Bool { false }
                static let shared = 1
            }
            """)
        #expect(code.contains("extension Place: Holdfast.JSONObjectType {"))
        #expect(
            code.contains(
                """
                    public static func _jsonKey(of property: Swift.PartialKeyPath<Self>) -> Swift.String? {
                        switch property {
                        case \\Self.city: CodingKeys.city.stringValue
                        case \\Self.tags: CodingKeys.tags.stringValue
                        case \\Self.`default`: CodingKeys.`default`.stringValue
                        default: nil
                        }
                    }
                """), "\(code)")
    }

    @Test func `a document without properties has no keys`() {
        let code = expanded("@JSONObject struct Empty: Codable {}")
        #expect(code.contains("        nil\n"), "\(code)")
    }
}
