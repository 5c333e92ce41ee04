/// Two instances of one row in one save.
extension SaveGraph {
    /// Throws ``DatabaseError/Code/conflict`` if two objects are the same row with different contents.
    func checkDuplicates() throws {
        for objects in savedObjects { try checkDuplicates(in: objects) }
    }

    private func checkDuplicates(in objects: any AnySavedObjects) throws {
        let table = objects.table
        guard table.count > 1, !table.batches.isEmpty else { return }
        let inserts = table.batches.map(\.group.action.hasNewArrays)
        var seen = KeyIndex()
        let (keys, batchOfObject) = (table.keys, table.batchOfObject)
        for index in 0..<table.count {
            // Inserting a key twice is the engine's to refuse; but beside a row that is updated it is a contradiction.
            if batchOfObject[index] >= 0, inserts[Int(batchOfObject[index])] { continue }
            guard let key = keys.key(ofRow: index) else { continue }
            let earlier = seen[key]
            seen[key] = Int32(truncatingIfNeeded: index)
            guard let earlier else { continue }
            let other = Int(earlier)
            guard batchOfObject[index] >= 0 || batchOfObject[other] >= 0 else { continue }
            if try table.locating(index, { try areSame(index, other, in: objects) }) { continue }
            var error = DatabaseError(
                .conflict,
                "Two objects in one save are the same row of \"\(table.description.table)\" with different contents. Save one of them.",
                table: table.description.table)
            error.objectIndex = table.errorPosition(of: index)
            if table.showsValues { error.shownKey = key.shown }
            throw error
        }
    }

    /// Whether two objects hold the same, and the same of it is written.
    private func areSame(_ left: Int, _ right: Int, in objects: any AnySavedObjects) throws -> Bool {
        let table = objects.table
        guard table.batchOfObject[left] == table.batchOfObject[right] else { return false }
        let unloaded = [left, right].compactMap { objects.tracker(of: $0)?.unloaded }
        guard unloaded.first == unloaded.last else { return false }
        var mask = table.description.writtenMask
        if let unloaded = unloaded.first { mask.subtract(unloaded) }
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
