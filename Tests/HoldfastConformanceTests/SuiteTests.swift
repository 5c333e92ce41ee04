import HoldfastConformance
import Testing

/// The suite itself: what holds of every case.
@Suite struct SuiteTests {
    @Test func `every case has an id of its own, which begins with its clause`() {
        let ids = ConformanceCase.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for behaviour in ConformanceCase.all {
            #expect(behaviour.id.hasPrefix(behaviour.clause.lowercased() + "."), "\(behaviour.id)")
            #expect(behaviour.id.allSatisfy { $0.isASCII && !$0.isWhitespace }, "\(behaviour.id)")
        }
    }

    @Test func `every case has a title that is a sentence without a full stop`() {
        for behaviour in ConformanceCase.all {
            #expect(behaviour.title.split(separator: " ").count > 3, "\(behaviour.id)")
            #expect(behaviour.title.last != ".", "\(behaviour.id)")
        }
    }

    @Test(arguments: [
        "VAL-1", "VAL-2", "VAL-3", "VAL-4", "VAL-5", "VAL-6", "VAL-7", "VAL-8", "ORD-1", "ORD-3", "REL-1", "REL-2",
        "REL-3", "REL-4", "TXN-1",
        "TXN-2",
        "TXN-3", "TXN-4", "TXN-5", "ERR-1", "ERR-2", "SCH-1", "SCH-3", "SCH-4", "SCH-5",
        "SCH-6", "SCH-7", "SCH-8", "SCH-9", "SCH-10", "SCH-11", "SCH-13", "OP-MADE-KEYS", "REL-5", "REL-6", "REL-7",
        "REL-8", "LIVE-1",
    ])
    func `a clause of the profile has a case`(_ clause: String) {
        #expect(ConformanceCase.all.contains { $0.clause == clause })
    }

    @Test func `our drivers' manifests leave no case unclassified`() {
        for runner in [Engines.sqlite, Engines.postgres].compactMap({ $0 }) {
            #expect(runner.manifest.problems(with: ConformanceCase.all) == [])
        }
    }
}
