import Testing

@testable import Holdfast

@Suite struct BatchSorterTests {
    private let description = Sample.tableMapping.description

    private func tracker(_ state: ChangeTracker.State, dirty: [Int] = [], unloaded: [Int] = []) -> ChangeTracker {
        var tracker = ChangeTracker()
        tracker.state = state
        tracker.dirty = PropertyMask(dirty)
        tracker.unloaded = PropertyMask(unloaded)
        return tracker
    }

    private func sorted(_ trackers: [ChangeTracker]) throws -> BatchSorter {
        var sorter = BatchSorter(description, count: trackers.count)
        for tracker in trackers {
            let lacksKey = tracker.state != .persisted
            try sorter.add(verb: .save, isGiven: true, lacksKey: lacksKey, tracker) { false }
        }
        return sorter
    }

    @Test func `objects of which the same is written are in one batch`() throws {
        let sorter = try sorted([
            tracker(.new), tracker(.persisted, dirty: [1]), tracker(.new, dirty: [1]), tracker(.persisted, dirty: [2]),
            tracker(.persisted, dirty: [1]),
        ])
        #expect(sorter.batches.map(\.objectIndices) == [[0, 2], [1, 4], [3]])
        #expect(sorter.batchOfObject == [0, 1, 0, 2, 1])
        #expect(sorter.batches[0].group.generatesKeys && sorter.batches[0].group.action == .insert)
        #expect(sorter.batches[1].group.action == .update)
    }

    @Test func `an object that has not changed is in none`() throws {
        let sorter = try sorted([tracker(.persisted), tracker(.persisted, dirty: [1]), tracker(.persisted)])
        #expect(sorter.batchOfObject == [-1, 0, -1])
    }

    @Test func `batches stay apart where there are many`() throws {
        let sets = (0..<40).map { number in (0..<6).filter { number & 1 << $0 != 0 }.map { $0 + 1 } }
        let sorter = try sorted((sets + sets).map { tracker(.persisted, dirty: $0) })
        #expect(sorter.batches.count == 39, "The empty set is written nowhere.")
        #expect(
            sorter.batches.allSatisfy { $0.objectIndices.count == 2 && $0.objectIndices[1] == $0.objectIndices[0] + 40 }
        )
    }

    @Test func `an object that was loaded in part is looked at by itself`() throws {
        #expect(throws: DatabaseError.self) {
            try sorted([tracker(.persisted, dirty: [1]), tracker(.persisted, dirty: [1], unloaded: [1])])
        }
    }
}
