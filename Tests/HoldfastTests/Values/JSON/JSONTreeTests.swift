import Foundation
import Testing

@testable import Holdfast

/// JSON that is read with all that is in it.
@Suite struct JSONTreeTests {
    /// An object in an object, and so on, each with some numbers besides.
    private static func nested(levels: Int, numbers: Int) -> String {
        let members = (0..<numbers).map { "\"n\($0)\":\($0)," }.joined()
        return String(repeating: "{\(members)\"in\":", count: levels) + "[]" + String(repeating: "}", count: levels)
    }

    @Test func `each value is read once, and written once, however deep it is`() throws {
        let json = try JSON(parsing: Self.nested(levels: 199, numbers: 10))
        let tree = try json.tree()
        var (scalars, pending) = (0, [tree])
        while let next = pending.popLast() {
            switch next {
            case .object(let members): pending += members.values
            case .array(let elements): pending += elements
            case .scalar(let scalar):
                scalars += 1
                // What is left to be read again is no more than itself.
                #expect(scalar.text.utf8.count <= 2)
            }
        }
        #expect(scalars == 1_990)
        var written = 0
        let text = tree.text { scalar in
            written += 1
            return scalar.text
        }
        #expect(written == 1_990)
        #expect(try JSON(parsing: text) == json)
    }

    @Test func `a deep value is encoded, decoded, merged and compared`() throws {
        let json = try JSON(parsing: Self.nested(levels: 199, numbers: 3))
        #expect(try JSON(encoding: [json]).array == [json])
        #expect(try JSONDecoder().decode(JSON.self, from: Data(json.text.utf8)) == json)
        #expect(json.merging([:]) == json)
        #expect(json.merging(["in": ["n1": 7]])["in"]?["n1"] == 7)
        #expect(json.merging(["in": .null]).object?.count == 3)
        #expect(json.hashValue == JSON(part: json.merging([:]).text, isChecked: false).hashValue)
    }

    @Test func `what is no tree is refused as it is when it is parsed`() {
        for text in ["", "[1", "{\"a\":1,\"a\":2}", "[\"\\ud800\"]", Self.nested(levels: 201, numbers: 0)] {
            let error = #expect(throws: DatabaseError.self) { try JSON(part: text, isChecked: false).tree() }
            let other = #expect(throws: DatabaseError.self) { try JSON(parsing: text) }
            #expect(error?.message == other?.message)
        }
    }
}
