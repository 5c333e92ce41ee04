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
