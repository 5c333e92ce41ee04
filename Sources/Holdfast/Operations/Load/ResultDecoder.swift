import Synchronization

/// Makes objects of the rows of a result while further rows are being read.
///
/// The first rows are decoded where the driver has them, and so are all rows of most results. What comes after them is
/// copied in portions, of which tasks of their own make objects; where those don't keep up, because all cores have
/// other things to do, the thread that reads the rows makes them.
struct ResultDecoder<Model: TableObject>: Sendable {
    /// Objects in the order of their rows: made, or being made.
    enum Portion: Sendable {
        case made(Transfer<[Model]>)
        case underWay(Task<Transfer<[Model]>, any Error>)
        /// A row could not be read, or does not fit; it is not the first such row if one of a portion under way does
        /// not either.
        case failed(any Error)

        /// How many objects are made.
        var count: Int { if case .made(let objects) = self { objects.value.count } else { 0 } }
    }

    /// How many rows are decoded where the driver has them, and how many a portion has.
    static var portionSize: Int { 512 }
    /// How many portions can be under way.
    private static var greatestCount: Int { 3 }

    let plan: MappingPlan<Model>
    private let showsKeys: Bool
    /// What all objects have in common.
    private let mark: FetchMark
    /// How many objects there may be.
    var maximum = Int.max

    init(_ plan: MappingPlan<Model>, _ access: DatabaseAccess) {
        self.plan = plan
        showsKeys = access.core.configuration.telemetry.showsKeys
        mark = FetchMark(access)
    }

    /// Reads all rows of a source; to be called where it may be used.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func read(_ source: any RowSource) throws -> [Portion] {
        let first = FirstRows(of: source, count: Self.portionSize)
        var portions = [Portion.made(try objects(of: first))]
        let countUnderWay = RunningCount()
        var count = portions[0].count
        while !first.isAtEnd, count <= maximum {
            let rows = StoredRows(width: plan.columns.all.count, capacity: Self.portionSize)
            do {
                while !first.isAtEnd, rows.rowCount < Self.portionSize {
                    if let cells = try source.next() { rows.append(copying: cells) } else { first.isAtEnd = true }
                }
            } catch {
                // What came before may not fit either.
                do { _ = try objects(of: StoredRowSource(rows)) } catch { return portions + [.failed(error)] }
                return portions + [.failed(error)]
            }
            count += rows.rowCount
            if first.isAtEnd || countUnderWay.value.load(ordering: .relaxed) >= Self.greatestCount {
                do {
                    portions.append(.made(try objects(of: StoredRowSource(rows))))
                } catch {
                    return portions + [.failed(error)]
                }
            } else {
                countUnderWay.value.add(1, ordering: .relaxed)
                portions.append(
                    .underWay(
                        Task.detached {
                            defer { countUnderWay.value.subtract(1, ordering: .relaxed) }
                            return try objects(of: StoredRowSource(rows))
                        }))
            }
        }
        if count > maximum { throw plan.description.tooManyObjects(maximum, relation: nil) }
        return portions
    }

    /// The objects of all portions.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for the first row that does not fit the type.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func objects(of portions: [Portion]) async throws -> [Model] {
        if portions.count == 1, case .made(let objects) = portions[0] { return objects.value }
        var objects: [Model] = []
        objects.reserveCapacity(portions.count * Self.portionSize)
        for portion in portions {
            switch portion {
            case .made(let made): objects += made.value
            case .underWay(let task): objects += try await task.value.value
            case .failed(let error): throw error
            }
        }
        return objects
    }

    /// The objects in all rows of a source.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func objects(of source: any RowSource) throws -> Transfer<[Model]> {
        Transfer(
            value: try mark.making {
                let kept = plan.mapping.inPlaceIndices.isEmpty ? nil : KeptOriginals()
                return try plan.mapping.loops.decode(source, plan.columns.fullLayout, kept) { error, cells in
                    plan.description.located(error, inRow: cells, showsKeys: showsKeys)
                }
            })
    }
}

/// A count that several threads change.
private final class RunningCount: Sendable {
    let value = Atomic<Int>(0)
}

/// The first rows of a source, which is not asked for more once it has ended.
private final class FirstRows: RowSource {
    private let base: any RowSource
    private var remaining: Int
    /// Whether the source has ended.
    var isAtEnd = false

    init(of base: any RowSource, count: Int) {
        self.base = base
        remaining = count
    }

    var columnNames: [String] { base.columnNames }
    var affectedRows: Int { base.affectedRows }

    func next() throws -> UnsafePointer<Cell>? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        guard let cells = try base.next() else {
            isAtEnd = true
            return nil
        }
        return cells
    }
}
