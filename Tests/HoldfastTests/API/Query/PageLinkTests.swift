import Testing

@testable import Holdfast

@Suite struct PageLinkTests {
    @Test(arguments: [
        ("/projects", "/projects", "/projects?after=T"),
        ("/projects?", "/projects", "/projects?after=T"),
        ("/projects?after=old", "/projects", "/projects?after=T"),
        ("/projects?status=open", "/projects?status=open", "/projects?status=open&after=T"),
        ("/p?after=old&a=%C3%A9+%26&b=1", "/p?a=%C3%A9+%26&b=1", "/p?a=%C3%A9+%26&b=1&after=T"),
        ("/p?%61fter=old&afterwards=1", "/p?afterwards=1", "/p?afterwards=1&after=T"),
        ("/p?after&a", "/p?a", "/p?a&after=T"),
        ("/p?a=%zz&b=é", "/p?a=%zz&b=é", "/p?a=%zz&b=é&after=T"),
        (
            "https://example.org/p?a=?&after=1#end", "https://example.org/p?a=?#end",
            "https://example.org/p?a=?&after=T#end"
        ),
        ("", "", "?after=T"),
    ])
    func `the parameter of the page is replaced, and all others stay`(link: String, first: String, next: String) {
        let parts = PageLink(link, without: "after")
        #expect(parts.text() == first)
        #expect(parts.text(adding: "after=T") == next)
    }

    @Test func `the last page has no next link`() throws {
        let last = Page<Sample>(objects: [], next: nil)
        #expect(last.nextLink(from: "/samples") == nil)
        #expect(try last.json(link: "/samples")["links"]?["next"] == .null)
        let cursor = PageCursor(ParameterBuffer(width: 0), 7)
        let page = Page<Sample>(objects: [], next: cursor)
        #expect(page.nextLink(from: "/samples?from=1", parameter: "from") == "/samples?from=\(cursor.token)")
        #expect(try page.json()["links"] == nil)
    }
}
