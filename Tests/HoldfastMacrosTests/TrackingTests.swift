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

    /// An object as a fetch gives it.
    private func fetched(_ change: (Observed) -> Void = { _ in }) -> Observed {
        let model = Observed()
        change(model)
        model._$changes.markPersisted()
        Observed.ownMapping.keepOriginals(of: model)
        return model
    }

    @Test func `a value that is set to what it was is no change`() {
        let model = fetched { $0.list = [1, 2] }
        (model.plain, model.did, model.will, model.list) = (0, 0, 0, [1, 2])
        #expect(!model.isDirty && dirty(model) == [])
        (model.plain, model.did, model.will, model.list) = (1, 1, 1, [])
        #expect(model.isDirty && dirty(model) == [1, 2, 3, 4])
        (model.plain, model.did, model.will, model.list) = (0, 0, 0, [1, 2])
        #expect(!model.isDirty && dirty(model) == [])
        #expect(model.log.contains("did 1->0"))
        model.list = []
        #expect(model.isDirty)
    }

    @Test func `an array of a fetched object is copied by its first change alone`() {
        let model = fetched { $0.list = Array(0..<1000) }
        model.list[0] = -1
        let address = model.list.withUnsafeBufferPointer { $0.baseAddress }
        for index in 1..<1000 { model.list[index] = -1 }
        #expect(model.list.withUnsafeBufferPointer { $0.baseAddress } == address)
        for index in 0..<1000 { model.list[index] = index }
        #expect(!model.isDirty)
    }

    @Test func `a new object keeps nothing of what it was`() {
        let model = Observed()
        (model.plain, model.list) = (1, [1])
        #expect(model._$changes.originals.isEmpty)
    }

    @Test func `the mapping lends the tracker`() {
        let model = Observed()
        Observed.tableMapping.changes?(model) { $0.mark(1) }
        #expect(dirty(model) == [1])
        #expect(Point.tableMapping.changes == nil)
    }
}
