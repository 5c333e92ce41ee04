/// Rows that are sent while others are being encoded.
extension SaveBatch {
    /// Rows that are handed on to be sent, in the order of their objects.
    typealias Portions = AsyncThrowingStream<ParameterBuffer, any Error>

    /// How many rows are handed on at a time where rows are sent while others are being encoded.
    static let portionSize = 4_096

    /// Notes that rows are handed on, and keeps them if something of them is written back.
    ///
    /// - Parameter entries: All so far, of which the last ones are those rows'.
    func portion(_ rows: ParameterBuffer, _ entries: [Entry]) -> ParameterBuffer {
        let isWrittenBack = entries[(portions.count * Self.portionSize)...].contains { !$0.writtenBack.isEmpty }
        portions.append(isWrittenBack ? rows : ParameterBuffer(width: rows.width))
        return rows
    }

    /// Returns the buffer that holds the encoded values of an entry, and their row in it.
    func encoded(_ row: Int) -> (rows: ParameterBuffer, row: Int) {
        portions.isEmpty ? (encodedRows, row) : (portions[row / Self.portionSize], row % Self.portionSize)
    }
}
