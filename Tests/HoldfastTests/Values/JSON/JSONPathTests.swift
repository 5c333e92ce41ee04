import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct JSONPathTests {
    @Test(arguments: [
        ("a", [JSONPath.Step.member("a")]),
        ("orders[0].sku", [.member("orders"), .element(0), .member("sku")]),
        ("[2][0].x-1", [.element(2), .element(0), .member("x-1")]),
        (#""first name"."".é"#, [.member("first name"), .member(""), .member("é")]),
    ])
    func `a path is read and written`(text: String, steps: [JSONPath.Step]) throws {
        let path = try JSONPath(text)
        #expect(path.steps == steps)
        #expect(path.description == text)
    }

    @Test(arguments: [
        "", "a.", ".a", "a[", "a[-1]", "a[x]", "a b", "\"a", "a..b", "\"a\\b\"", "[0]a", "[", "a[4294967296]",
    ])
    func `what is no path is refused`(text: String) {
        let error = #expect(throws: DatabaseError.self) { try JSONPath(text) }
        #expect(error?.code == .syntax)
    }

    @Test func `the parent of a path is one step shorter`() throws {
        let path = try JSONPath("a[1]")
        #expect(try path.parent == JSONPath("a"))
        #expect(path.parent?.parent == .root)
        #expect(JSONPath.root.parent == nil)
        #expect(path.sqlText == #"$."a"[1]"#)
    }

    @Test func `an index into a document is named by column, path and type`() throws {
        func index(_ column: String, _ path: String, _ type: JSONScalarType) throws -> IndexDefinition {
            let value = IndexDefinition.DocumentValue(column: column, path: try JSONPath(path), type: type)
            return IndexDefinition(on: "t", [.init(value)], isUnique: false)
        }
        let names = try [
            index("a", "x", .text), index("b", "x", .text), index("a", "y", .text), index("a", "x", .integer),
        ].map(\.name)
        #expect(Set(names).count == 4)
        #expect(try index("b", "x", .text).formerly("b", called: "a", on: "t") == index("a", "x", .text))
    }
}
