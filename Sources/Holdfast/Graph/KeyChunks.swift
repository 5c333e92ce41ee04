/// Keys in portions that one statement can take.
///
/// Portions are filled up to a power of two by repeating their last key, so that few different statements are prepared.
struct KeyChunks {
    struct Chunk {
        /// The number of keys, repeated ones included.
        let count: Int
        /// All keys as one row.
        let parameters: ParameterBuffer
    }

    let all: [Chunk]

    /// - Parameters:
    ///   - keys: Each key as one row.
    ///   - width: The number of parts of a key.
    ///   - limit: The greatest number of parameters of a statement.
    init(_ keys: [ParameterBuffer], width: Int, limit: Int) {
        var greatest = 1
        while greatest < 4096, greatest * 2 * width <= limit { greatest *= 2 }
        all = stride(from: 0, to: keys.count, by: greatest).map { start in
            let portion = keys[start..<min(start + greatest, keys.count)]
            var count = 1
            while count < portion.count { count *= 2 }
            var parameters = ParameterBuffer(width: count * width)
            for position in 0..<count {
                parameters.appendRow(0, of: portion[start + min(position, portion.count - 1)])
            }
            return Chunk(count: count, parameters: parameters)
        }
    }
}

extension ParameterBuffer {
    /// Appends all rows of another buffer of the same width.
    mutating func appendAll(_ other: ParameterBuffer) {
        let offset = UInt64(bytes.count)
        bytes += other.bytes
        cells.reserveCapacity(cells.count + other.cells.count)
        for var cell in other.cells {
            if cell.hasBytes { cell.payload += offset }
            cells.append(cell)
        }
    }
}
