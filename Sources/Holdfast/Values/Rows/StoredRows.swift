#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Rows that were copied from a driver: their cells one after the other, whose bytes stay where they are while this
/// lives.
// Unchecked: it is filled by one thread and handed over; from then on it is added to and read on one isolation, or only
// read.
package final class StoredRows: @unchecked Sendable {
    let width: Int
    // Nothing here calls code that could look at a property while it is changed, so no access is checked for that
    // (decision 0024).
    @exclusivity(unchecked) package private(set) var rowCount = 0
    @exclusivity(unchecked) private var cells: UnsafeMutablePointer<Cell>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private var bytes = ByteArena()
    /// Others into whose bytes cells of this one point.
    private var owners: [StoredRows] = []

    /// How many bytes were copied.
    package var byteCount: Int { bytes.count }

    /// Creates an empty collection of rows of `width` cells.
    ///
    /// - Parameter rowCapacity: For how many rows to make room.
    package init(width: Int, capacity rowCapacity: Int = 16) {
        self.width = width
        capacity = rowCapacity * max(width, 1)
        cells = Self.cells(nil, capacity)
    }

    deinit {
        free(cells)
        bytes.deallocate()
    }

    /// Copies all rows that a source gives.
    ///
    /// - Parameter positions: Which of their cells, in the order of the copies; nil for all.
    convenience init(copying source: any RowSource, width: Int, at positions: [Int]? = nil) throws {
        self.init(width: width, capacity: max(source.underestimatedCount, 16))
        while let cells = try source.next() {
            if let positions { append(copying: cells, at: positions) } else { append(copying: cells) }
        }
    }

    /// Forgets all rows, and keeps their memory for others.
    package func removeAll() {
        rowCount = 0
        owners = []
        bytes.removeAll()
    }

    /// The cells of a row.
    func row(_ row: Int) -> UnsafePointer<Cell> { UnsafePointer(cells + row * width) }

    /// Appends a row whose cells the caller has to set.
    package func appendRow() -> UnsafeMutablePointer<Cell> {
        let end = reserve()
        rowCount += 1
        return end
    }

    /// Copies a row as a driver gives it, with what it points at.
    package func append(copying row: UnsafePointer<Cell>) {
        let end = reserve()
        for column in 0..<width {
            var cell = row[column]
            if cell.hasBytes, cell.count > 0 { cell.payload = bytes.copy(cell.bytes) }
            end[column] = cell
        }
        rowCount += 1
    }

    /// Copies the cells at some positions of a row, with what they point at; a position of -1 gives NULL.
    func append(copying row: UnsafePointer<Cell>, at positions: [Int]) {
        let end = reserve()
        for (column, position) in positions.enumerated() {
            var cell = position < 0 ? .null : row[position]
            if cell.hasBytes, cell.count > 0 { cell.payload = bytes.copy(cell.bytes) }
            end[column] = cell
        }
        rowCount += 1
    }

    /// Appends a row of another collection, which is kept for its bytes: see ``keep(_:)``.
    func append(_ row: Int, of other: StoredRows) {
        let end = reserve()
        end.update(from: other.cells + row * width, count: width)
        rowCount += 1
    }

    /// Keeps what rows point into that were appended from there.
    func keep(_ other: StoredRows) { if owners.last !== other { owners.append(other) } }

    /// The key in `count` cells of a row, from one on.
    func key(ofRow row: Int, from first: Int = 0, count: Int) -> Key {
        Key(cells: cells + row * width + first, count: count)
    }

    private func reserve() -> UnsafeMutablePointer<Cell> {
        let used = rowCount * width
        if used + width > capacity {
            // Memory that is not used yet costs nothing, and to copy what is large does; what is very large is moved
            // without a copy.
            let factor = (4_096..<1 << 21).contains(capacity) ? 4 : 2
            cells = Self.cells(cells, factor * capacity)
            capacity *= factor
        }
        return cells + used
    }

    /// Room for so many cells, with those that are there already: what is large is moved by the system, without a copy.
    private static func cells(_ old: UnsafeMutablePointer<Cell>?, _ capacity: Int) -> UnsafeMutablePointer<Cell> {
        let memory = realloc(old, capacity * MemoryLayout<Cell>.stride)
        // Without memory, an allocation of Swift's ends the program, here as elsewhere.
        return memory?.assumingMemoryBound(to: Cell.self) ?? .allocate(capacity: capacity)
    }

    /// Copies bytes for a cell.
    ///
    /// - Returns: The payload of the cell.
    package func copy(_ source: UnsafeRawBufferPointer) -> UInt64 { bytes.copy(source) }
}

/// Memory in which bytes stay where they are, to be deallocated by its owner.
private struct ByteArena {
    /// The greatest size of a chunk, unless one value needs more.
    private static let greatestChunk = 1 << 20

    private var chunks: [UnsafeMutableRawPointer] = []
    private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var nextChunk = 4_096
    private var lastChunk = 0
    /// How many bytes were copied.
    private(set) var count = 0

    /// Copies bytes.
    ///
    /// - Returns: Their address.
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count > free.count { makeChunk(bytes.count) }
        guard let target = free.baseAddress, let source = bytes.baseAddress else { return 0 }
        target.copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
        free = UnsafeMutableRawBufferPointer(rebasing: free[bytes.count...])
        return UInt64(UInt(bitPattern: target))
    }

    /// Forgets all bytes, and keeps the memory that was needed last.
    mutating func removeAll() {
        count = 0
        for chunk in chunks.dropLast() { chunk.deallocate() }
        chunks = Array(chunks.suffix(1))
        free = UnsafeMutableRawBufferPointer(start: chunks.last, count: lastChunk)
    }

    func deallocate() {
        for chunk in chunks { chunk.deallocate() }
    }

    private mutating func makeChunk(_ count: Int) {
        let size = max(nextChunk, count)
        nextChunk = min(2 * nextChunk, Self.greatestChunk)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
        chunks.append(chunk)
        lastChunk = size
        free = UnsafeMutableRawBufferPointer(start: chunk, count: size)
    }
}
