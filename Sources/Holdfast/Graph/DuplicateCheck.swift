/// Refuses two objects of one row with different contents in one save: neither is more right than the other.
enum DuplicateCheck {
    static func run<Model>(_ batches: [WriteBatch<Model>], description: TableDescription) throws {
        guard batches.reduce(0, { $0 + $1.objects.count }) > 1 else { return }
        var seen: [Key: (batch: Int, row: Int)] = [:]
        for (number, batch) in batches.enumerated() where !batch.generatesKeys && batch.group.action != .insert {
            for row in batch.objects.indices {
                let key = batch.keys.withRow(row) { cells in
                    cells.baseAddress.map { Key(cells: $0, count: cells.count) }
                }
                guard let key, let other = seen.updateValue((number, row), forKey: key) else { continue }
                if other.batch == number, batch.isSame(row, other.row) { continue }
                var error = DatabaseError(
                    .conflict,
                    "Two objects in one save are the same row of \"\(description.table)\" with different contents. Save one of them.",
                    table: description.table)
                error.objectIndex = batch.objects[row]
                throw error
            }
        }
    }
}

extension WriteBatch {
    /// Whether two rows of the batch hold the same values.
    fileprivate func isSame(_ left: Int, _ right: Int) -> Bool {
        guard columns.isSame(left, right) else { return false }
        return arrays.allSatisfy { array in
            let (left, right) = (array.elements(ofRow: left), array.elements(ofRow: right))
            return left.count == right.count
                && zip(left, right).allSatisfy { array.encoder.buffer.isSame($0, $1) }
        }
    }
}

extension ParameterBuffer {
    /// Whether two rows hold the same cells and bytes.
    func isSame(_ left: Int, _ right: Int) -> Bool {
        guard width > 0 else { return true }
        return (0..<width).allSatisfy { column in
            let (one, other) = (cells[left * width + column], cells[right * width + column])
            guard one.kind == other.kind, one.count == other.count else { return false }
            guard one.hasBytes else { return one.payload == other.payload }
            let length = Int(one.count)
            return bytes[Int(one.payload)..<Int(one.payload) + length]
                .elementsEqual(bytes[Int(other.payload)..<Int(other.payload) + length])
        }
    }
}
