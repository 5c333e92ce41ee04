/// Objects of one type that others refer to by their positions.
@usableFromInline
final class ObjectStore<Model> {
    /// Nil where an object has not been made yet.
    // It is only read while objects are made of rows, and only changed by that in between; so no access is checked for
    // it.
    @exclusivity(unchecked) @usableFromInline var objects: [Model?] = []
}

/// The objects that each row of a table leads to by one relation, as positions in the store of the other table.
@usableFromInline
struct RelatedRowIndices {
    /// Where the run of each row begins in ``targets``; of a relation to one object nil, since each run is of length
    /// one.
    @usableFromInline var starts: [Int32]?
    /// Positions of targets; -1 where there is none.
    @usableFromInline var targets: [Int32]

    @inlinable
    func range(ofRow row: Int) -> Range<Int> {
        guard let starts else { return row..<row + 1 }
        return Int(starts[row])..<Int(starts[row + 1])
    }
}

/// The targets of the rows of a table by one relation, whose type is known to subclasses.
@usableFromInline
class RelatedColumn {
    @usableFromInline let positions: RelatedRowIndices
    @usableFromInline let type: ObjectIdentifier

    fileprivate init(_ positions: RelatedRowIndices, type: ObjectIdentifier) {
        self.positions = positions
        self.type = type
    }

    @inlinable
    final func hasObject(row: Int) -> Bool { positions.targets[row] >= 0 }
}

/// The targets of the rows of a table by one relation, whose type is known.
@usableFromInline
final class TypedRelatedColumn<Model>: RelatedColumn {
    @usableFromInline let store: ObjectStore<Model>

    init(_ positions: RelatedRowIndices, store: ObjectStore<Model>) {
        self.store = store
        super.init(positions, type: ObjectIdentifier(Model.self))
    }

    @inlinable
    func object(row: Int) -> Model? {
        let target = positions.targets[row]
        return target < 0 ? nil : store.objects[Int(target)]
    }

    @inlinable
    func objects(row: Int) -> [Model] {
        let range = positions.range(ofRow: row)
        guard !range.isEmpty else { return [] }
        let objects = store.objects
        var result: [Model] = []
        result.reserveCapacity(range.count)
        for index in range {
            let target = positions.targets[index]
            if target >= 0, let object = objects[Int(target)] { result.append(object) }
        }
        return result
    }
}

/// The targets of the rows of a table, by the positions of their properties; nil for a relation that is not to be set.
@usableFromInline
final class RelatedObjects {
    @usableFromInline var relatedColumns: [RelatedColumn?]

    init(_ relatedColumns: [RelatedColumn?]) { self.relatedColumns = relatedColumns }

    /// Returns the targets without those of some of the relations.
    func without(_ relations: PropertyMask) -> RelatedObjects {
        if relations.isEmpty { return self }
        return RelatedObjects(relatedColumns.enumerated().map { relations.contains($0) ? nil : $1 })
    }

    @inlinable
    func column<Model>(_ index: Int, of type: Model.Type) -> TypedRelatedColumn<Model>? {
        guard let column = relatedColumns[index], column.type == ObjectIdentifier(Model.self) else { return nil }
        return unsafeDowncast(column, to: TypedRelatedColumn<Model>.self)  // the type was compared above
    }
}

extension RelatedRowIndices {
    /// Arranges links by row.
    init(_ links: [(row: Int32, target: Int32)], rowCount: Int) {
        var starts = [Int32](repeating: 0, count: rowCount + 1)
        for link in links { starts[Int(link.row) + 1] += 1 }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var next = starts
        var targets = [Int32](repeating: -1, count: links.count)
        for link in links {
            targets[Int(next[Int(link.row)])] = link.target
            next[Int(link.row)] += 1
        }
        self.init(starts: starts, targets: targets)
    }
}
