/// Loops over many objects of a type, specialized for the model (decision 0015).
///
/// The initializer of a mapping is inlinable, so the compiler sees these loops together with the model, in the module
/// that declares it. Generic code of this module would ask the runtime for the type `Model` for each object.
@usableFromInline
struct ObjectLoops<Model>: Sendable {
    /// Where a row could not be decoded: says more of the error.
    @usableFromInline typealias Locate = (any Error, UnsafePointer<Cell>) -> any Error

    /// Makes an object of each row that a source gives, marked as persisted.
    @usableFromInline let decode: @Sendable (any RowSource, RowLayout, KeptOriginals?, Locate) throws -> [Model]
    /// Makes an object of each row, marked as persisted, and puts it into the store.
    @usableFromInline let make: @Sendable (RowRun, ObjectStore<Model>, Locate) throws -> Void
    /// Sets what the layout of the rows contains in the objects of the store, and marks those as persisted.
    @usableFromInline let link: @Sendable (RowRun, ObjectStore<Model>) throws -> Void
    /// The objects at some positions of the store, without those that are not there.
    @usableFromInline let gather: @Sendable (ObjectStore<Model>, [Int]) -> [Model]
    /// Whether all objects are of this very class, if it is one.
    @usableFromInline let areExact: @Sendable ([Model]) -> Bool
    /// Lends the tracker of each object; not to be called where there is none.
    @usableFromInline let track: @Sendable ([Model], (Int, ObjectIdentifier, inout ChangeTracker) -> Void) -> Void
    /// Encodes the objects with some indices, in their order, or all if there are none, as long as the last function
    /// returns true.
    ///
    /// The first is called before each, the last after it, with a tracker of no object where there is none.
    @usableFromInline
    let encode:
        @Sendable (
            [Model], [Int32]?, inout RowEncoder, (Int) -> Void, (Int, inout RowEncoder, inout ChangeTracker) -> Bool
        ) throws -> Void
    /// Sets the keys of the objects with some indices.
    ///
    /// The first function is called before each, with its position among the indices, and says whether its key is to be
    /// set; the last after it was, where there is a tracker.
    @usableFromInline
    let assignKeys:
        @Sendable (
            [Model], [Int32], RowRun, (Int, inout ChangeTracker) -> Bool, (Int, inout ChangeTracker) -> Void
        ) throws -> Void

    @inlinable
    init(
        decode: @escaping @Sendable (borrowing Row) throws -> Model,
        encode: @escaping @Sendable (Model, inout RowEncoder) throws -> Void,
        assign: @escaping @Sendable (inout Model, borrowing Row) throws -> Void,
        changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
    ) {
        self.decode = { source, layout, kept, locate in
            var models: [Model] = []
            guard let first = try source.next() else { return models }
            // One row, moved on: it holds what would be retained for each.
            var row = Row(cells: first, layout: layout, keeping: kept)
            var next: UnsafePointer<Cell>? = first
            while let cells = next {
                row.cells = cells
                do {
                    let model = try decode(row)
                    changes?(model) { tracker in
                        tracker.markPersisted()
                        kept?.move(to: &tracker)
                    }
                    models.append(model)
                } catch {
                    throw locate(error, cells)
                }
                next = try source.next()
            }
            return models
        }
        make = { run, store, locate in
            let kept = run.kept
            var row = run.row
            for position in run.rows where !run.isSkipped(position) {
                run.move(&row, to: position)
                do {
                    let model = try decode(row)
                    changes?(model) { tracker in
                        tracker.markPersisted()
                        kept?.move(to: &tracker)
                    }
                    store.objects[position] = model
                } catch {
                    throw locate(error, row.cells)
                }
            }
        }
        link = { run, store in
            let objects = store.objects
            var row = run.row
            for position in run.rows where !run.isSkipped(position) {
                guard var model = objects[position] else { continue }
                run.move(&row, to: position)
                // What it was before is nothing to be kept.
                changes?(model) { $0.state = .new }
                try assign(&model, row)
                changes?(model) { $0.markPersisted() }
            }
        }
        gather = { store, positions in
            let objects = store.objects
            var models: [Model] = []
            models.reserveCapacity(positions.count)
            for position in positions {
                if let model = objects[position] { models.append(model) }
            }
            return models
        }
        areExact = { models in models.allSatisfy { type(of: $0) == Model.self } }
        track = { models, body in
            guard let changes else { return }
            for index in models.indices {
                let model = models[index]
                changes(model) { body(index, unsafeBitCast(model, to: ObjectIdentifier.self), &$0) }
            }
        }
        self.encode = { models, indices, encoder, begin, end in
            for position in 0..<(indices?.count ?? models.count) {
                let index = indices.map { Int($0[position]) } ?? position
                begin(index)
                let model = models[index]
                try encode(model, &encoder)
                var goesOn = true
                if let changes {
                    changes(model) { goesOn = end(index, &encoder, &$0) }
                } else {
                    var tracker = ChangeTracker()
                    goesOn = end(index, &encoder, &tracker)
                }
                guard goesOn else { return }
            }
        }
        assignKeys = { models, indices, run, begin, end in
            var keys = run.row
            for position in indices.indices {
                let index = Int(indices[position])
                var model = models[index]
                var isWanted = false
                if let changes {
                    changes(model) { isWanted = begin(position, &$0) }
                } else {
                    var tracker = ChangeTracker()
                    isWanted = begin(position, &tracker)
                }
                guard isWanted else { continue }
                run.move(&keys, to: index)
                try assign(&model, keys)
                changes?(model) { end(position, &$0) }
            }
        }
    }
}
