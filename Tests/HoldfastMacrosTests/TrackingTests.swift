import Testing

@testable import Holdfast

@Suite struct TrackingTests {
    private func dirty(_ model: Observed) -> [Int] { model._$changes.dirty.indices }

    @Test func `setting a property marks it`() {
        let model = Observed()
        #expect(dirty(model) == [])
        model.plain = 1
        #expect(dirty(model) == [1])
        model.list.append(3)
        #expect(dirty(model) == [1, 4])
    }

    @Test func `the user's observers still run`() {
        let model = Observed()
        model.did = 5
        model.will = 6
        model.both = 7
        #expect(model.log == ["did 0->5", "will 0->6", "both will", "both did"])
        #expect(dirty(model) == [2, 3])
    }

    @Test func `initializers mark nothing`() throws {
        #expect(Project(name: "x")._$changes.dirty.isEmpty)
        let source = Project(name: "x")
        source.count = 1
        #expect(try roundTrip(source)._$changes.dirty.isEmpty)
    }

    @Test func `transient properties are not marked`() {
        let project = Project(name: "x")
        project.draft = "d"
        #expect(project._$changes.dirty.isEmpty)
    }

    @Test func `an array that is changed in place is not copied`() {
        let model = Observed()
        model.list = Array(0..<1000)
        let address = model.list.withUnsafeBufferPointer { $0.baseAddress }
        model.list[500] = -1
        #expect(model.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    }

    @Test func `the mapping lends the tracker`() {
        let model = Observed()
        Observed.tableMapping.changes?(model) { $0.mark(1) }
        #expect(dirty(model) == [1])
        #expect(Point.tableMapping.changes == nil)
    }
}
