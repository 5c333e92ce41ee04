extension ArrayElementRows {
    /// Leaves out the parts of elements that are in columns of the owner's key.
    ///
    /// - Parameters:
    ///   - table: The join table of the array.
    ///   - property: The array's property, as an index.
    ///   - description: The type of the owners.
    ///   - owners: The keys of the owners.
    /// - Throws: ``DatabaseError/Code/invalidValue`` if an element has another value there than its owner.
    mutating func shareColumns(
        of table: JoinTable, _ property: Int, of description: TableDescription, _ owners: ParameterBuffer
    ) throws {
        let shared = table.sharedParts
        ownParts = shared.indices.filter { shared[$0] == nil }
        let name = description.properties[property].name
        for (owner, range) in ranges.enumerated() where !skipped.contains(owner) {
            for case (let part, let ownerPart?) in shared.enumerated().map({ ($0, $1) }) {
                let ownerKey = owners.withRow(owner) { cells in
                    ElementKey(UnsafeBufferPointer(rebasing: cells[ownerPart..<ownerPart + 1]))
                }
                for element in range where key(element, part: part) != ownerKey {
                    let ownerName = description.properties[description.keyIndices[ownerPart]].name
                    throw DatabaseError(
                        .invalidValue,
                        "\"\(name)\" of \(description.type) holds an object whose key does not agree with \"\(ownerName)\", and both are in the column \"\(table.ownerColumns[ownerPart])\" of \"\(table.name)\".",
                        table: description.table, properties: [name, ownerName])
                }
            }
        }
    }
}
