extension Row {
    /// The object that the row leads to by a relation.
    @inlinable
    func relatedObject<Model>(at index: Int) throws -> Model {
        guard let object = related?.column(index, of: Model.self)?.object(row: position) else {
            throw RowFault.notLoaded
        }
        return object
    }

    /// The objects that the row leads to by a relation: none where they were not loaded, or are linked later.
    @inlinable
    func relatedObjects<Model>(at index: Int) -> [Model] {
        related?.column(index, of: Model.self)?.objects(row: position) ?? []
    }

    /// Whether there is an object to be had: not where it was not loaded, or is linked later.
    @inlinable
    func hasRelatedObject(at index: Int) -> Bool { related?.relatedColumns[index]?.hasObject(row: position) ?? false }

    /// The key that the columns of a reference hold; nil if they are NULL.
    func referenceKey(at index: Int, width: Int) throws -> Key? {
        precondition(index >= 0 && index < propertyCount, "A mapping reads properties from 0 up to its own count.")
        let slot = slots[index]
        guard slot >= 0 else { throw RowFault.notLoaded }
        let first = cells + Int(slot)
        for part in 0..<width where first[part].isNull { return nil }
        return Key(cells: first, count: width)
    }
}
