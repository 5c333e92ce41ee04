extension QueryWriter {
    /// The greatest number of values that a query binds one by one.
    ///
    /// SQLite prepares a statement in a time that grows with the square of it, and libpq takes few more. What one
    /// engine can't do the other is not to do.
    private static let greatestValueCount = 7_000

    /// Refuses a query with more values than can be bound one by one.
    func checkValueCount() throws {
        guard values.cells.count > Self.greatestValueCount else { return }
        let advice = "Ask for a list of values by `in`, which binds it as one, or split the query."
        throw DatabaseError(
            .invalidValue,
            "A query compares with \(values.cells.count) values one by one, and \(Self.greatestValueCount) are the most. "
                + advice, table: description.table)
    }

    /// The position at which the same value was bound before.
    func position(of buffer: ParameterBuffer) -> Int? {
        let all = boundValues
        return all.withRow(0) { known in
            buffer.withRow(0) { cells in
                guard let cell = cells.first else { return nil }
                let index = known.firstIndex { other in
                    guard other.kind == cell.kind, other.kind != .list, !other.isClockTime else { return false }
                    return cell.hasBytes
                        ? other.count == cell.count && other.bytes.elementsEqual(cell.bytes)
                        : other.payload == cell.payload
                }
                return index.map { $0 + 1 }
            }
        }
    }

    /// The position at which the same list was bound before.
    func position(ofList list: ParameterBuffer) -> Int? {
        let index = values.cells.firstIndex { cell in
            guard cell.kind == .list else { return false }
            let other = values.lists[Int(cell.payload)]
            return other.bytes == list.bytes && other.cells.count == list.cells.count
                && zip(other.cells, list.cells)
                    .allSatisfy { $0.kind == $1.kind && $0.payload == $1.payload && $0.count == $1.count }
        }
        return index.map { $0 + 1 }
    }
}
