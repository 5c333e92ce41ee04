import Testing

@testable @_spi(Driver) import Holdfast

@Suite struct RedactedTextTests {
    @Test(arguments: [
        ("SELECT name FROM a WHERE b = 'canary' AND c > 42", "select name from a where b = ? and c > ?"),
        ("SELECT 'it''s', E'a\\'canary', x'00', 1.5e3, TRUE", "select ? ? , e ? , x ? , ? . ? , ?"),
        ("SELECT $tag$canary 'x'$tag$, $1 -- canary", "select ? , $1"),
        ("/* canary */ SELECT \"a b\" FROM t WHERE id IN (1, 2)", #"select "a b" from t where id in ( ? , ? )"#),
        ("SELECT 'canary never ends", "select ?"),
    ])
    func `literals and comments of raw SQL are left out`(_ sql: String, _ text: String) {
        #expect(Statement(sql, isRaw: true).shownText(showsValues: false) == text)
        #expect(Statement(sql, isRaw: true).shownText(showsValues: true) == sql)
    }

    @Test func `statements of the library stay as they are`() {
        let sql = #"SELECT "id" FROM "a" LIMIT 1"#
        #expect(Statement(sql).shownText(showsValues: false) == sql)
    }
}
