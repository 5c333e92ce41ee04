import Holdfast
import Testing

@Suite struct SearchQueryTests {
    @Test(arguments: [
        ("red car", "\"red\" \"car\""), ("red-car  ann@b.com", "\"red car\" \"ann b com\""),
        ("\"red car\" blue*", "\"red car\" \"blue\"*"), ("a OR b c", "\"a\" OR (\"b\" \"c\")"),
        ("a AND b OR c", "(\"a\" \"b\") OR \"c\""), ("-a", "-\"a\""), ("NOT NOT a", "\"a\""), ("--a", "-\"a\""),
        ("a -(b OR \"c d\")", "\"a\" -(\"b\" OR \"c d\")"), ("((a) OR ((b)))", "\"a\" OR \"b\""), ("a -?", "\"a\""),
        ("(a OR b", "\"a\" OR \"b\""), ("a) b", "\"a\" \"b\""), ("or and not", "\"or\" \"and\" \"not\""),
        ("\"a", "\"a\""), ("a\"b\"c", "\"a\" \"b\" \"c\""), ("a NOT OR b", "\"a\" OR \"b\""),
        ("-\"a b\"*", "-\"a b\"*"),
    ])
    func `a text is read as somebody means it, and its description as the same`(text: String, expected: String) {
        let query = SearchQuery(text)
        #expect(query.description == expected)
        #expect(SearchQuery(query.description) == query)
    }

    @Test(arguments: ["", " ", "?", "\"", "\"\"", "(", "((()", "-", "*", "OR", "NOT", "AND OR NOT", "- ( ) *"])
    func `a text without a word is empty`(text: String) {
        #expect(SearchQuery(text).isEmpty)
        #expect(!SearchQuery(text).matches("a", "OR"))
    }

    @Test func `a long text is read as far as its first words`() {
        let text = (0..<1_000).map { "w\($0)" }.joined(separator: " ")
        let words = SearchQuery(text).description.split(separator: " ")
        #expect(words.count == SearchQuery.greatestCount)
        #expect(SearchQuery(String(repeating: "(", count: 100_000) + "a") == SearchQuery("a"))
        #expect(SearchQuery(String(repeating: "-", count: 100_000) + "a") == SearchQuery("-a"))
    }

    @Test func `words are compared without case and with accents`() {
        #expect(SearchQuery("STRASSE").matches("strasse"))
        #expect(!SearchQuery("strasse").matches("Straße"))
        #expect(SearchQuery("ὈΔΟΣ").matches("ὀδος"))
        #expect(!SearchQuery("cafe").matches("café", "cafe\u{301}"))
        #expect(SearchQuery.phrase("a b").matches("x a, b"))
        #expect(!SearchQuery.phrase("a b").matches("a", "b"))
        #expect(SearchQuery.not("a").matches("b", nil))
        #expect(SearchQuery.prefix("a b").matches("a bc") && !SearchQuery.prefix("a b").matches("ab c"))
    }

    @Test func `a snippet has most of what is looked for`() {
        let text = "One two, three four; five SIX seven (eight) nine red car ten."
        func snippet(_ query: SearchQuery, _ words: Int) -> String {
            query.snippet(of: text, words: words).text(marking: "[", "]")
        }
        #expect(snippet("red", 3) == "…nine [red] car…")
        #expect(snippet("\"red car\"", 2) == "…[red car]…")
        #expect(snippet("\"red car\" six", 2) == "…[SIX] seven…")
        #expect(snippet("two five six", 3).contains("[five] [SIX]"))
        #expect(snippet("missing", 2) == "One two…")
        #expect(snippet("one", 100) == "[One] two, three four; five SIX seven (eight) nine red car ten.")
        #expect(snippet("ten -red", .max).hasSuffix("car [ten]."))
        #expect(snippet("red", 0) == "…")
        #expect(SearchQuery("a").snippet(of: "").parts.isEmpty)
        #expect(SearchQuery("a").snippet(of: "?!").text(marking: "[", "]") == "?!")
    }
}
