import Testing

@testable import Holdfast

struct RecentlyUsedTests {
    @Test func `the value that was unused for longest makes room`() {
        var values = RecentlyUsed<Int, String>(capacity: 2)
        values.insert("a", for: 1)
        #expect(values.removeOldest() == nil)
        values.insert("b", for: 2)
        #expect(values.value(for: 1) == "a")
        #expect(values.removeOldest() == "b")
        values.insert("c", for: 3)
        #expect(values.count == 2 && values.value(for: 2) == nil && values.value(for: 3) == "c")
    }

    @Test func `a value takes the place of the one that has its key`() {
        var values = RecentlyUsed<Int, String>(capacity: 1)
        values.insert("a", for: 1)
        values.insert("b", for: 1)
        #expect(values.count == 1 && values.remove(1) == "b" && values.remove(1) == nil)
    }
}
