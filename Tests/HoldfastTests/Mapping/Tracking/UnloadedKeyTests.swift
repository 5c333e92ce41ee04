import Testing

@testable import Holdfast

/// The keys that objects keep of references which were not loaded.
@Suite struct UnloadedKeyTests {
    private func tracker() -> ChangeTracker {
        var tracker = ChangeTracker()
        tracker.markPersisted()
        tracker.unloaded = PropertyMask([1])
        tracker.keep(StoredKey(Key(7), at: 1))
        return tracker
    }

    @Test func `a mark keeps the stored key in place of the value that was read`() {
        var tracker = tracker()
        tracker.mark(1, from: String?.none, to: "a")
        tracker.mark(2, from: "x", to: "y")
        #expect(tracker.dirty == PropertyMask([1, 2]) && tracker.isUncertain)
        #expect((tracker.originals[1] as? StoredKey)?.key == Key(7))
        #expect(tracker.originals[2] is TypedOriginalValue<String>)
    }

    @Test func `what was not loaded is marked even where it is set to what it read as`() {
        var tracker = tracker()
        tracker.mark(1, from: String?.none, to: String?.none)
        #expect(tracker.dirty == PropertyMask([1]))
        var weak = self.tracker()
        weak.mark(1, fromWeak: nil, to: nil)
        #expect(weak.dirty == PropertyMask([1]) && weak.isUncertain)
    }

    @Test func `a save that failed gives the stored key back`() {
        var tracker = tracker()
        tracker.mark(1, from: String?.none, to: "a")
        var entry = SaveBatch.Entry(index: 0)
        entry.markInFlight(&tracker, save: 1)
        #expect(tracker.originals[1] == nil)
        entry.restoreMarks(&tracker)
        #expect((tracker.originals[1] as? StoredKey)?.key == Key(7) && tracker.dirty == PropertyMask([1]))
    }

    @Test func `a stored key is compared with the keys of objects`() throws {
        var row = ParameterBuffer(width: 1)
        row.append(.integer(7))
        let (seven, nobody) = (OriginalKeys(at: 1) { row }, OriginalKeys(at: 1) { nil })
        guard case .key(let key) = seven.reference else { throw CellMismatch.null }
        #expect(key == Key(7))
        guard case .nowhere = nobody.reference else { throw CellMismatch.null }
        row.cells[0] = .null
        guard case .newObject = OriginalKeys(at: 1, { row }).reference else { throw CellMismatch.null }
    }
}
