import Testing

@testable import CatalogExample

@Suite struct PackageVersionsTests {
    @Test func `what came, went and changed is told, in order`() {
        let before = PackageVersions(["a:all": "1", "b:all": "1", "c:all": "1"])
        let after = PackageVersions(["a:all": "1", "b:all": "2", "d:all": "1"])
        #expect(before.changes(to: after) == ["~ b:all 1 -> 2", "- c:all 1", "+ d:all 1"])
        #expect(before.changes(to: before).isEmpty)
    }
}
