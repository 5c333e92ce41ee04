import Testing

@testable import CatalogExample

@Suite struct DebianVersionTests {
    @Test(arguments: [
        ("1.0", "1.1"), ("1.9", "1.10"), ("1.0~rc1", "1.0"), ("1.0~~", "1.0~"), ("1.0", "1.0a"), ("1.0a", "1.0+b"),
        ("1.0-1", "1.0-2"), ("1.0-9", "1.0-10"), ("2.0", "1:1.0"), ("1:9", "2:1"), ("1.0", "1.0-1"), ("1-1-1", "1-2-1"),
        ("6.1.170-3", "6.1.176-1"), ("1.0.", "1.0.1"), ("99999999999999999999", "100000000000000000000"),
        ("1.0-1", "1.0+dfsg"),
    ])
    func `comes before`(older: String, newer: String) {
        #expect(DebianVersion(older) < DebianVersion(newer))
        #expect(!(DebianVersion(newer) < DebianVersion(older)))
        #expect(DebianVersion(older) != DebianVersion(newer))
    }

    @Test(arguments: [("1.0", "0:1.0"), ("1.0", "1.0-0"), ("1.01", "1.1"), ("1.0", "1.0")])
    func `is the same version`(left: String, right: String) {
        #expect(DebianVersion(left) == DebianVersion(right))
        #expect(!(DebianVersion(left) < DebianVersion(right)))
    }
}
