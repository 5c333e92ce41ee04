import Testing

@testable import Holdfast

@Suite struct OriginalValuesTests {
    private func tracker() -> ChangeTracker {
        var tracker = ChangeTracker()
        tracker.markPersisted()
        return tracker
    }

    private func count(_ originals: OriginalValues) -> Int {
        sequence(first: originals.list) { $0?.next }.prefix { $0 != nil }.reduce(originals.smallIndex < 0 ? 0 : 1) {
            count, _ in count + 1
        }
    }

    @Test func `the first number is kept in place, the second one in the list`() {
        var tracker = tracker()
        tracker.mark(1, from: 7, to: 8)
        #expect(tracker.originals.list == nil && tracker.originals.smallIndex == 1)
        tracker.mark(2, from: Double?.none, to: 0.5)
        tracker.mark(3, from: "a", to: "b")
        #expect(count(tracker.originals) == 3 && tracker.originals.smallIndex == 1)
        #expect([1, 2, 3].allSatisfy(tracker.originals.contains) && !tracker.originals.contains(0))
        #expect(tracker.originals[2] is SmallOriginalValue && tracker.originals[0] == nil)
    }

    @Test func `what is taken is gone, and the rest stays`() {
        for taken in [[1], [2], [1, 3], [3], [1, 2, 3], []] as [Set<Int>] {
            var tracker = tracker()
            tracker.mark(1, from: 7, to: 8)
            tracker.mark(2, from: true, to: false)
            tracker.mark(3, from: "a", to: "b")
            let originals = tracker.originals.take(where: taken.contains)
            for index in 1...3 {
                #expect(originals.contains(index) == taken.contains(index))
                #expect(tracker.originals.contains(index) != taken.contains(index))
            }
            tracker.restoreOriginals(of: PropertyMask(taken), originals)
            #expect(count(tracker.originals) == 3)
        }
    }

    @Test func `an object whose insert fails again and again keeps one original of an array`() {
        var tracker = ChangeTracker()
        for _ in 0..<3 {
            var entry = SaveBatch.Entry(index: 0)
            entry.markInFlight(&tracker, save: 1)
            tracker.keep(OriginalValue(at: 4))  // of an array, as it was sent
            entry.restoreMarks(&tracker)
        }
        #expect(count(tracker.originals) == 1)
    }
}
