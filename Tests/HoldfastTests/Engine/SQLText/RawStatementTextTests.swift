import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct RawStatementTextTests {
    static let texts: [(String, [String])] = [
        ("", []),
        ("  SET\n x=1", ["set", "x", "=", "1"]),
        ("-- SET\nSELECT 1", ["select", "1"]),
        ("-- only a comment", []),
        ("/* SET */ select/**/2", ["select", "2"]),
        ("/* not closed SET", []),
        ("select 'set '' x' || 1", ["select", "'set '", "' x'", "|", "|", "1"]),
        ("select \"Set\", `set`", ["select", "\"set\"", ",", "`set`"]),
        ("select $1, $$set$$, $a$ $$ $a$", ["select", "$1", ",", "'set$$", ",", "' $$ $a$"]),
        (#"select E'\' pg', pg"#, ["select", "e", #"'\' pg'"#, ",", "pg"]),
        (#"select e'\\'pg"#, ["select", "e", #"'\\'"#, "pg"]),
        (#"select e 'a\' pg"#, ["select", "e", #"'a\'"#, "pg"]),
        (#"select e'not \"#, ["select", "e", #"'not \"#]),
        ("select e", ["select", "e"]),
        ("select 'not closed", ["select", "'not closed"]),
        ("select $tag$ not closed", ["select", "' not closed"]),
        ("größe = 5_0.2", ["größe", "=", "5_0", ".", "2"]),
        ("a\u{301}'x'", ["a\u{301}", "'x'"]),
    ]

    @Test(arguments: texts)
    func `a text is its words and symbols`(text: String, parts: [String]) {
        #expect(RawStatementText(text).parts == parts)
    }

    @Test(.timeLimit(.minutes(1))) func `long texts take time in proportion`() {
        for piece in ["select ", "'", "$a", "/*", "-", "$$", "\"", "(", "e'\\'"] {
            let text = RawStatementText(String(repeating: piece, count: 100_000))
            #expect(text.parts.count <= 200_000)
        }
    }
}
