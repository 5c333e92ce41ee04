/// The values that a save itself puts into the rows of a batch: timestamps, and versions counted up.
struct RowStamp {
    private let description: TableDescription
    private let group: SaveBatch.Group
    /// The time of the save, for each timestamp as its column holds it.
    private let now: [Int: ParameterBuffer]
    private let keepsTimes: Bool

    /// - Parameter keepsTimes: Whether timestamps stay that have a value.
    /// - Returns: nil if there is nothing to put.
    init?(
        _ description: TableDescription, _ group: SaveBatch.Group, _ now: [Int: ParameterBuffer],
        keepsTimes: Bool = false
    ) {
        self.keepsTimes = keepsTimes
        guard !now.isEmpty || description.versionIndex != nil else { return nil }
        self.description = description
        self.group = group
        self.now = now
    }

    /// Puts the values into the row that begins at `firstCell`.
    ///
    /// - Parameters:
    ///   - buffer: The rows of the batch.
    ///   - firstCell: The first cell of the row.
    ///   - writtenBack: Gets the properties that get back what was put.
    func apply(to buffer: inout ParameterBuffer, from firstCell: Int, writtenBack: inout PropertyMask) throws {
        description.stamp(
            &buffer, from: firstCell, group: group, now, keepsTimes: keepsTimes, writtenBack: &writtenBack)
        try description.countUp(&buffer, from: firstCell, group: group, writtenBack: &writtenBack)
    }
}

extension TableDescription {
    /// Puts the time of the save where the row that begins at `firstCell` has timestamps to be set.
    fileprivate func stamp(
        _ buffer: inout ParameterBuffer, from firstCell: Int, group: SaveBatch.Group, _ now: [Int: ParameterBuffer],
        keepsTimes: Bool, writtenBack: inout PropertyMask
    ) {
        let slots = slots(group.mask)
        for (index, stamp) in now {
            guard slots[index] >= 0, let cell = stamp.cells.first else { continue }
            let position = firstCell + Int(slots[index])
            if keepsTimes, !buffer.cells[position].isNull { continue }
            if createdMask.contains(index) {
                let isOptional = properties[index].isNullable || properties[index].isRequired
                let isSet = isOptional ? !buffer.cells[position].isNull : !group.action.insertsNew
                if group.action == .update || isSet { continue }
            }
            buffer.replace(position, with: cell, of: stamp)
            writtenBack.insert(index)
        }
    }
}
