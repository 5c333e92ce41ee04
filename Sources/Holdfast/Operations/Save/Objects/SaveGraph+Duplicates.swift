/// Two instances of one row in one save.
///
/// An instance without changes of its own contradicts none: it is left as it is, and what leads to it leads to its row.
extension SaveGraph {
    /// Throws ``DatabaseError/Code/conflict`` if two objects are the same row, and what is written of them differs.
    func checkDuplicates() throws {
        for objects in savedObjects { try checkDuplicates(in: objects) }
    }

    private func checkDuplicates(in objects: any AnySavedObjects) throws {
        let table = objects.table
        guard table.count > 1, !table.batches.isEmpty else { return }
        // Inserting a key twice is the engine's to refuse; and where nothing is read back, the last of several stays.
        let areFree = table.batches.map { batch in
            batch.group.action.hasNewArrays || batch.group.action.explicitUpsert?.isSilent == true
        }
        if areFree.allSatisfy(\.self) || table.keys.isAscending { return }
        var seen = KeyIndex()
        for (index, batch) in table.batchOfObject.enumerated() where batch >= 0 && !areFree[Int(batch)] {
            guard let key = table.keys.key(ofRow: index) else { continue }
            let earlier = seen[key]
            seen[key] = Int32(truncatingIfNeeded: index)
            guard let earlier else { continue }
            let other = Int(earlier)
            if try table.locating(index, { try areSame(other, index, in: objects) }) { continue }
            let paths = try [other, index].map {
                try pathFinder.path(to: NodeID(table: table.tableIndex, index: $0))
            }
            var error = DatabaseError(
                .conflict,
                "\(paths[0]) and \(paths[1]) are two instances of one row of \"\(table.description.table)\", and their changes differ. Change one of them, and leave the other as it was read.",
                table: table.description.table)
            error.objectIndex = table.errorPosition(of: index)
            if table.showsKeys { error.shownKey = key.shown }
            throw error
        }
    }

    /// Whether the same is written of two objects.
    private func areSame(_ left: Int, _ right: Int, in objects: any AnySavedObjects) throws -> Bool {
        let table = objects.table
        guard table.batchOfObject[left] == table.batchOfObject[right] else { return false }
        let group = table.batches[Int(table.batchOfObject[left])].group
        // The time of this save is written in place of those that they hold.
        let mask = group.action == .update ? group.mask.subtracting(table.description.modifiedMask) : group.mask
        let encoder = try objects.encoded(mask, of: [left, right])
        guard encoder.cells.buffer.isSame(0, 1) else { return false }
        let areArraysSame = encoder.arrays.allSatisfy { array in
            let (left, right) = (array.elements(ofRow: 0), array.elements(ofRow: 1))
            return left.count == right.count
                && zip(left, right).allSatisfy { array.encoder.buffer.isSame($0, $1) }
        }
        return areArraysSame
            && encoder.links.allSatisfy { links in
                let (left, right) = (links.elements(ofRow: 0), links.elements(ofRow: 1))
                return left.count == right.count && zip(left, right).allSatisfy { links.keys.isSame($0, $1) }
            }
    }
}
