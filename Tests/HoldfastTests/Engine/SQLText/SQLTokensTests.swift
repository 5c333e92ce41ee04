import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct SQLTokensTests {
    private static let postgres: SQLSyntax = [.escapedStrings, .dollarQuotes, .nestedComments]
    private static let sqlite: SQLSyntax = [.backtickNames, .bracketNames, .signedParameters]

    /// The texts of the tokens that are neither space nor comments.
    private func content(_ sql: String, _ syntax: SQLSyntax) -> [String] {
        let tokens = SQLTokens(sql, syntax)
        return tokens.filter(\.isContent).map { String(tokens.text(of: $0)) }
    }

    private func kinds(_ sql: String, _ syntax: SQLSyntax) -> [SQLToken.Kind] {
        SQLTokens(sql, syntax).map(\.kind).filter { $0 != .space }
    }

    @Test(arguments: [
        ("SELECT a1, \"b\" FROM t -- d", ["SELECT", "a1", ",", "\"b\"", "FROM", "t"]),
        ("'it''s' \"a\"\"b\" '' \"\"", ["'it''s'", "\"a\"\"b\"", "''", "\"\""]),
        ("a/*'*/b--'\nc", ["a", "b", "c"]),
        ("'--' '/*' \"--\" x", ["'--'", "'/*'", "\"--\"", "x"]),
        ("größe=x$1+1.5e3", ["größe", "=", "x$1", "+", "1", ".", "5e3"]),
        ("a\u{301}'x'\u{301}", ["a\u{301}", "'x'", "\u{301}"]),
        ("a\0b '\0' ;", ["a", "\0", "b", "'\0'", ";"]),
        ("a\u{b}b\r\n\tc", ["a", "b", "c"]),
        ("a-b - -1 /2/ *", ["a", "-", "b", "-", "-", "1", "/", "2", "/", "*"]),
    ])
    func `engines agree on most tokens`(sql: String, tokens: [String]) {
        #expect(content(sql, Self.postgres) == tokens)
        #expect(content(sql, Self.sqlite) == tokens)
    }

    @Test(arguments: [
        ("a /* b /* c */ ' */ d", ["a", "d"]),
        ("/* /* */ */ SET x", ["SET", "x"]),
        ("$$ $1 '$$ $1", ["$$ $1 '$$", "$1"]),
        ("$a$ $$ $b$ $a$ $a", ["$a$ $$ $b$ $a$", "$a"]),
        ("$1$ $2$ a$b$c", ["$1$", "$2$", "a$b$c"]),
        (#"E'it\'s' e'\\' E '\' x"#, ["E", #"'it\'s'"#, "e", #"'\\'"#, "E", #"'\'"#, "x"]),
        (#"be'\' x"#, ["be", #"'\'"#, "x"]),
        ("a ? 'b' ?| c @> d::e", ["a", "?", "'b'", "?", "|", "c", "@", ">", "d", ":", ":", "e"]),
        ("a[1] `", ["a", "[", "1", "]", "`"]),
    ])
    func `tokens of PostgreSQL`(sql: String, tokens: [String]) {
        #expect(content(sql, Self.postgres) == tokens)
    }

    @Test(arguments: [
        ("a /* b /* c */ d", ["a", "d"]),
        ("[a'] `b``c` [d", ["[a']", "`b``c`", "[d"]),
        ("? ?1 :a @b $c :1 ? :", ["?", "?1", ":a", "@b", "$c", ":1", "?", ":"]),
        (#"e'\' x $$ '"#, ["e", #"'\'"#, "x", "$$", "'"]),
        ("a -> '$.b' ->> ?", ["a", "-", ">", "'$.b'", "-", ">", ">", "?"]),
    ])
    func `tokens of SQLite`(sql: String, tokens: [String]) {
        #expect(content(sql, Self.sqlite) == tokens)
    }

    @Test func `a token knows its kind`() {
        #expect(
            kinds("a \"b\" 'c' E'd' $$e$$ 5 $1 ? /*f*/ ,", Self.postgres)
                == [
                    .word, .quotedName, .string, .word, .escapedString, .dollarString, .number, .parameter, .symbol,
                    .comment, .symbol,
                ])
        #expect(
            kinds("`a` [b] ?2 :c $d --", Self.sqlite)
                == [.quotedName, .quotedName, .parameter, .parameter, .parameter, .comment])
    }

    @Test(arguments: [
        ("'it''s'", "it's"), ("\"a\"\"b\"", "a\"b"), ("`a``b`", "a`b"), ("[a\"b]", "a\"b"), ("''", ""),
        ("word", "word"),
        ("'never ends", "never ends"), ("'", ""), ("'a''", "a'"), ("[a", "a"), ("$5", "$5"), ("'é\0'", "é\0"),
    ])
    func `quotes are taken off`(sql: String, contents: String) {
        let tokens = SQLTokens(sql, [.backtickNames, .bracketNames])
        #expect(tokens.map { tokens.contents(of: $0) } == [contents])
    }

    @Test(arguments: [
        (#"E'it\'s\\'"#, #"it's\"#), ("E'a''b'", "a'b"), (#"E'\"#, ""), ("e$$a", "e$$a"),
    ])
    func `escapes are taken off`(sql: String, contents: String) {
        let tokens = SQLTokens(sql)
        #expect(tokens.map { tokens.contents(of: $0) }.last == contents)
    }

    @Test(arguments: [
        ("$$it's$$", "it's"), ("$a$ $$ $a$", " $$ "), ("$a$ never ends $", " never ends $"), ("$$", ""), ("$$$", "$"),
        ("$$$$", ""),
    ])
    func `dollar quotes are taken off`(sql: String, contents: String) {
        let tokens = SQLTokens(sql)
        #expect(tokens.map { tokens.contents(of: $0) } == [contents])
    }

    @Test func `the tokens of any text are all of it`() {
        let pieces = [
            "'", "\"", "`", "[", "]", "$", "$$", "$a$", "/*", "*/", "--", "\n", "\\", "e", "E'", "é", "\u{301}", "1",
            "?", ":", "@", " ", "\0", "x", ".", "😀",
        ]
        var seed: UInt64 = 7
        for round in 0..<3_000 {
            var sql = ""
            for _ in 0..<round % 12 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sql += pieces[Int(seed >> 33) % pieces.count]
            }
            for syntax: SQLSyntax in [Self.postgres, Self.sqlite, .any, []] {
                let tokens = SQLTokens(sql, syntax)
                var end = sql.startIndex
                for token in tokens {
                    #expect(token.range.lowerBound == end && !token.range.isEmpty, "\(sql.debugDescription)")
                    _ = tokens.contents(of: token)
                    end = token.range.upperBound
                }
                #expect(end == sql.endIndex, "\(sql.debugDescription)")
            }
        }
    }

    @Test(
        .timeLimit(.minutes(1)), arguments: ["'", "$a", "/*", "-", "$$", "\"", "(", "e'\\'", "[", "`", "$a$ $b$", "é"]
    )
    func `long texts take time in proportion`(piece: String) {
        let sql = String(repeating: piece, count: 100_000)
        for syntax: SQLSyntax in [Self.postgres, Self.sqlite, .any] {
            #expect(SQLTokens(sql, syntax).reduce(0) { count, _ in count + 1 } <= 700_000)
        }
    }

    @Test func `a text is read as far as its tokens are asked for`() {
        var tokens = SQLTokens("/* a */ insert Or REPLACE into t")
        let words = [tokens.nextWord(), tokens.nextWord()]
        #expect(words == ["INSERT", "OR"])
        let third = tokens.nextOfContent().map { tokens.text(of: $0) }
        #expect(third == "REPLACE")
        tokens = SQLTokens("(SELECT 1)")
        let others = [tokens.nextWord(), tokens.nextWord()]
        #expect(others == [nil, "SELECT"])
    }
}
