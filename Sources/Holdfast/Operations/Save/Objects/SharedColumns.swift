/// Makes references of the rows of a batch agree with the properties whose columns they share.
struct SharedColumns {
    private let description: TableDescription
    private let references: [SharedReference]
    private let batch: SaveBatch
    private let table: SaveTable
    private let width: Int
    private let slots: [Int32]

    /// - Returns: nil if no reference that is written shares columns.
    init?(_ batch: SaveBatch, of table: SaveTable) {
        description = table.description
        let columns = description.columns
        guard !columns.sharedReferences.isEmpty else { return nil }
        let mask = batch.group.mask
        references = columns.sharedReferences.filter { mask.contains($0.property) }
        (self.batch, self.table) = (batch, table)
        slots = description.slots(mask)
        // The batch is not encoded yet.
        width = description.columnCount(mask)
        batch.sharedCells = [[Int]](repeating: [], count: description.properties.count)
        for reference in references {
            var own = Int(slots[reference.property])
            batch.sharedCells[reference.property] = reference.owners.map { owner in
                guard let owner else {
                    defer { own += 1 }
                    return own
                }
                return Int(slots[owner])
            }
        }
    }

    /// Compares the references of a row with the properties whose columns they share.
    ///
    /// A reference that was set in a saved object sets a property that was not. The key of a new object, which the
    /// engine makes, is set in the property as well.
    ///
    /// - Parameters:
    ///   - row: The row in the batch, which is encoded.
    ///   - index: The number of its object.
    ///   - tracker: The tracker of the object before its marks are taken.
    ///   - writtenBack: Gets the properties that are set in the object.
    func apply(
        to buffer: inout ParameterBuffer, row: Int, index: Int, _ links: LinkEncoder, _ tracker: ChangeTracker,
        writtenBack: inout PropertyMask
    ) throws {
        for reference in references {
            let isSet =
                batch.group.action == .update && description.isTracked && tracker.dirty.contains(reference.property)
            let met = links.shared.first { $0.property == reference.property }
            if let node = met?.node {
                batch.edges.append(
                    SaveBatch.Edge(
                        owner: NodeID(table: table.tableIndex, index: index), target: node,
                        property: reference.property,
                        cell: row * width))
            }
            // A reference that is nil leaves the shared columns alone, unless it has no column of its own and was set
            // to nil.
            if met == nil, !reference.isWhole || !isSet { continue }
            for (part, owner) in reference.owners.enumerated() {
                guard let owner else { continue }
                let slot = Int(slots[owner])
                let follows = slot >= 0 && description.properties[owner].isWritable
                guard let met else {
                    if slot >= 0, buffer.cells[row * width + slot].isNull { continue }
                    guard follows, description.properties[owner].isNullable, !tracker.dirty.contains(owner) else {
                        throw disagreement(reference, owner)
                    }
                    buffer.cells[row * width + slot] = .null
                    writtenBack.insert(owner)
                    continue
                }
                if met.key.cells[part].isNull {
                    guard follows else { throw disagreement(reference, owner) }
                    writtenBack.insert(owner)
                    continue
                }
                let wanted = met.key.withRow(0) { Self.part($0, part) }
                let has =
                    slot >= 0
                    ? buffer.withRow(row) { Self.part($0, slot) }
                    : description.keyIndices.firstIndex(of: owner).map { position in
                        table.keys.withRow(index) { Self.part($0, position) }
                    }
                if has == wanted { continue }
                guard follows, isSet, !tracker.dirty.contains(owner) else { throw disagreement(reference, owner) }
                buffer.replace(row * width + slot, with: met.key.cells[part], of: met.key)
                writtenBack.insert(owner)
            }
        }
    }

    private static func part(_ cells: UnsafeBufferPointer<Cell>, _ index: Int) -> ElementKey {
        ElementKey(UnsafeBufferPointer(rebasing: cells[index..<index + 1]))
    }

    private func disagreement(_ reference: SharedReference, _ owner: Int) -> DatabaseError {
        let names = [reference.property, owner].map { description.properties[$0].name }
        return DatabaseError(
            .invalidValue,
            "\"\(names[0])\" and \"\(names[1])\" of \(description.type) are in one column and don't agree. Set both to the same.",
            table: description.table, properties: names)
    }
}

extension SaveBatch {
    /// Copies the generated key of a row that was inserted into the columns of a reference to it, and into its owner's
    /// key where that shares them.
    func setSharedKey(_ edge: Edge, from target: SaveTable, in owners: SaveTable) {
        let description = owners.description
        guard let reference = description.columns.sharedReference(edge.property) else { return }
        let first = Int(edge.target.index) * target.keys.width
        for (part, cell) in sharedCells[edge.property].enumerated() where cell >= 0 {
            encodedRows.replace(edge.cell + cell, with: target.keys.cells[first + part], of: target.keys)
            guard let owner = reference.owners[part], let position = description.keyIndices.firstIndex(of: owner)
            else { continue }
            let key = target.keys
            let cell = Int(edge.owner.index) * owners.keys.width + position
            let known = owners.keys.cells[cell]
            // A key with bytes is the caller's, and was compared.
            if !known.isNull, !key.cells[first + part].isNull, known.hasBytes { continue }
            owners.keys.replace(cell, with: key.cells[first + part], of: key)
        }
    }
}
