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
}
