import Holdfast

/// A list among the parameters as the server takes an array in binary; see `array_recv` in its `arrayfuncs.c`.
final class ArrayEncoder {
    private var memory: UnsafeMutableRawBufferPointer
    private var used = 0

    /// The array, as long as this object lives.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<used]) }

    /// Encodes a list.
    ///
    /// - Parameters:
    ///   - element: The type of the array's elements.
    ///   - format: Their format, which we know.
    init(_ list: ParameterBuffer, element: UInt32, _ format: WireType) throws(ParameterFailure) {
        let count = list.cells.count
        // Not before it is copied.
        if list.bytes.count > ParameterEncoder.greatestRow { throw .tooLarge }
        memory = .allocate(byteCount: 20 + count * 12 + list.bytes.count, alignment: 8)
        // Dimensions, whether there may be NULLs, the type; then the length and the first index. No dimension if empty.
        put(count == 0 ? 0 : 1)
        put(1)
        put(Int32(bitPattern: element))
        if count == 0 { return }
        guard let length = Int32(exactly: count) else { throw .doesNotFit }
        put(length)
        put(1)
        var encoder = ParameterEncoder([format])
        for row in 0..<count {
            let failure = list.withRow(row) { cells -> ParameterFailure? in
                do throws(ParameterFailure) {
                    try encoder.withValue(cells[0]) { append($0) }
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
        }
        if used > ParameterEncoder.greatestRow { throw .tooLarge }
    }

    deinit { memory.deallocate() }

    private func put(_ value: Int32) {
        memory.storeBytes(of: value.bigEndian, toByteOffset: used, as: Int32.self)
        used += 4
    }

    private func append(_ value: UnsafeRawBufferPointer?) {
        reserve(4 + (value?.count ?? 0))
        put(Int32(truncatingIfNeeded: value?.count ?? -1))
        guard let value, let start = memory.baseAddress else { return }
        UnsafeMutableRawBufferPointer(start: start + used, count: value.count).copyMemory(from: value)
        used += value.count
    }

    private func reserve(_ count: Int) {
        guard used + count > memory.count else { return }
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(memory.count * 2, used + count), alignment: 8)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
        memory.deallocate()
        memory = grown
    }
}
