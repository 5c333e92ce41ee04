internal import CPostgres

/// The rows of many results, copied close together: a `PGresult` costs kilobytes even for one small row.
final class PackedRows {
    /// For each cell its length as 32 bits, -1 for NULL, and its bytes.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private(set) var rowCount = 0

    deinit { memory.deallocate() }

    /// Copies the first columns of all rows of `result`.
    func append(_ result: ServerResult, columnCount columns: Int32) {
        for row in 0..<result.rowCount {
            for column in 0..<columns {
                let isNull = PQgetisnull(result.raw, row, column) == 1
                let length = PQgetlength(result.raw, row, column)
                let count = isNull ? 0 : Int(length)
                reserve(4 + count)
                memory.storeBytes(of: isNull ? -1 : length, toByteOffset: used, as: Int32.self)
                if count > 0, let value = PQgetvalue(result.raw, row, column), let start = memory.baseAddress {
                    (start + used + 4).copyMemory(from: value, byteCount: count)
                }
                used += 4 + count
            }
            rowCount += 1
        }
    }

    private func reserve(_ count: Int) {
        guard used + count > memory.count else { return }
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(4096, memory.count * 2, used + count), alignment: 8)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        memory.deallocate()
        memory = grown
    }

    /// Reads the cell at `offset`, nil if it is NULL, and moves the offset to the next one.
    func read(at offset: inout Int) -> UnsafeRawBufferPointer? {
        let length = memory.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let start = offset + 4
        offset = start + max(Int(length), 0)
        return length < 0 ? nil : UnsafeRawBufferPointer(rebasing: memory[start..<offset])
    }
}
