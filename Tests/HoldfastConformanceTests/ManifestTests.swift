import HoldfastConformance
import Testing

@Suite struct ManifestTests {
    private let cases = [
        ConformanceCase("a.one", "A", "One of the core") { _ in },
        ConformanceCase("b.two", "B", "Two of the graph", level: .graph) { _ in },
    ]

    private func problems(
        _ claims: Set<ConformanceLevel> = [.core, .graph],
        _ declines: [ConformanceLevel: String] = [:],
        _ issues: [ConformanceManifest.KnownIssue] = []
    ) -> [String] {
        ConformanceManifest(driver: "x", claims: claims, declines: declines, knownIssues: issues).problems(with: cases)
    }

    @Test func `a manifest that claims or declines every level is complete`() {
        #expect(problems() == [])
        #expect(problems([.core], [.graph: "not yet"]) == [])
    }

    @Test func `a level that is neither claimed nor declined leaves cases unclassified`() {
        #expect(problems([.core]).count == 1)
        #expect(problems([.core]).first?.contains("Graph") == true)
        #expect(problems([], [.core: "not yet"]).count == 1)
    }

    @Test func `a level can't be both claimed and declined`() {
        #expect(problems([.core, .graph], [.graph: "not yet"]).count == 1)
    }

    @Test func `a known issue needs a case that exists, once, and a reason`() {
        #expect(problems([.core, .graph], [:], [.init("a.one", "https://…/1")]) == [])
        #expect(problems([.core, .graph], [:], [.init("a.none", "https://…/1")]).first?.contains("a.none") == true)
        #expect(problems([.core, .graph], [:], [.init("a.one", "x"), .init("a.one", "y")]).count == 1)
        #expect(problems([.core, .graph], [:], [.init("a.one", "")]).count == 1)
    }
}
