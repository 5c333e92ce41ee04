import Testing

@testable import Holdfast

@Suite struct NamingTests {
    @Test(arguments: [
        ("firstName", "first_name"), ("URLPath", "url_path"), ("homepageURL", "homepage_url"),
        ("isHTTPSOnly", "is_https_only"), ("line2", "line2"), ("Project", "project"),
        ("already_snake", "already_snake"),
        ("line2Text", "line2_text"), ("x", "x"), ("", ""),
    ])
    func `a Swift name becomes snake case`(swift: String, database: String) {
        #expect(Naming.snakeCased(swift) == database)
    }

    @Test func `a name of over 63 bytes is cut and told apart by a hash`() {
        let long = String(repeating: "é", count: 40)
        let other = long + "x"
        #expect(Naming.shortened(long).utf8.count <= 63)
        #expect(Naming.shortened(long) != Naming.shortened(other))
        #expect(Naming.shortened(long) == Naming.shortened(long))
        #expect(Naming.shortened("short") == "short")
    }
}
