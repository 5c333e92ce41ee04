import Holdfast
import Testing

@testable import Holdfast
@testable import HoldfastMacros
import NearMisses

@Suite struct NamingTests {
    @Test(arguments: [
        ("firstName", "first_name"), ("URLPath", "url_path"), ("homepageURL", "homepage_url"),
        ("isHTTPSOnly", "is_https_only"), ("line2", "line2"), ("Project", "project"),
        ("already_snake", "already_snake"),
        ("line2Text", "line2_text"), ("x", "x"), ("", ""), ("ID", "id"), ("aB", "a_b"), ("ABc", "a_bc"),
        ("point3D", "point3_d"),
        ("foo_Bar", "foo_bar"), ("_private", "_private"), ("__X", "__x"), ("größeÄndern", "größe_ändern"), ("名前", "名前"),
        ("first name", "first name"), ("userIDs", "user_i_ds"), ("iOSVersion", "i_os_version"), ("🚀Launch", "🚀_launch"),
    ])
    func `the macro and the library make the same names`(swift: String, database: String) {
        #expect(swift.snakeCased == database)
        #expect(Naming.snakeCase.name(swift) == database)
    }

    @Test(arguments: [
        ("nmae", ["name"]), ("start_date", ["startDate"]), ("starDate", ["startDate"]), ("NAME", ["name"]),
        ("nam", ["name"]), ("x", []), ("owner", []),
    ])
    func `near misses`(name: String, expected: [String]) {
        #expect(nearMisses(of: name, among: ["id", "name", "startDate", "code"]) == expected)
    }
}
