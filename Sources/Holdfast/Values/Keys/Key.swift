/// A primary key: one value or several, compared by their bytes.
///
/// Pass a key with one value as that value, and create a composite key from its parts in the order of the properties:
///
/// ```swift
/// try await db.find(Project.self, key: 42)
/// try await db.find(Package.self, key: Key("dpkg", "amd64"))
/// ```
public struct Key: Sendable {
    enum Storage: Sendable {
        /// The frequent case, without allocation.
        case integer(Int64)
        /// One row of cells.
        case parts(ParameterBuffer)
        /// A part that can't be stored.
        case invalid(CellMismatch)
    }

    let storage: Storage

    init(storage: Storage) { self.storage = storage }

    init(cells: [Cell], bytes: [UInt8]) {
        if cells.count == 1, cells[0].kind == .integer {
            storage = .integer(cells[0].integer)
        } else {
            var buffer = ParameterBuffer(width: cells.count)
            buffer.cells = cells
            buffer.bytes = bytes
            storage = .parts(buffer)
        }
    }

    /// The key in the first `count` cells of a row: see ``Cell/keyPart``.
    init(cells: UnsafePointer<Cell>, count: Int) {
        if count == 1, case let part = cells[0].keyPart, part.kind == .integer {
            storage = .integer(part.integer)
        } else {
            var buffer = ParameterBuffer(width: count)
            for index in 0..<count { buffer.append(copying: cells[index].keyPart) }
            storage = .parts(buffer)
        }
    }

    /// A key that can't be stored.
    init(invalid mismatch: CellMismatch) { storage = .invalid(mismatch) }

    /// The parts as one row of parameters.
    func parameters() throws -> ParameterBuffer {
        switch storage {
        case .integer(let value):
            var buffer = ParameterBuffer(width: 1)
            buffer.append(.integer(value))
            return buffer
        case .parts(let buffer): return buffer
        case .invalid(let mismatch):
            throw DatabaseError(.invalidValue, "A part of the key \(mismatch.sentence).")
        }
    }
}

extension Key: Hashable {
    public static func == (left: Key, right: Key) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): return left == right
        case (.parts(let left), .parts(let right)):
            guard left.cells.count == right.cells.count, left.bytes == right.bytes else { return false }
            return zip(left.cells, right.cells).allSatisfy { $0.isSamePart(as: $1) }
        case (.invalid(let left), .invalid(let right)): return left == right
        default: return false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .integer(let value): hasher.combine(value)
        case .parts(let buffer):
            buffer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            for cell in buffer.cells { hasher.combine(cell.hasBytes ? UInt64(cell.count) : cell.payload) }
        case .invalid(let mismatch): hasher.combine(mismatch)
        }
    }
}

extension Cell {
    /// The cell as a part of a row's key: an instant is the integer of its column, however the engine gives it.
    fileprivate var keyPart: Cell {
        switch kind {
        case .timestamp: .integer(integer)
        case .real: Int64(exactly: real).map { .integer($0) } ?? self
        case .null, .boolean, .integer, .text, .blob, .decimal, .uuid, .json, .list: self
        }
    }

    /// Whether two parts of keys, whose bytes are known to be equal, are the same: a UUID is its 16 bytes.
    fileprivate func isSamePart(as other: Cell) -> Bool {
        guard hasBytes else { return kind == other.kind && payload == other.payload }
        return count == other.count && (kind == .text) == (other.kind == .text)
    }
}

extension Key {
    /// The parts, for error messages where values are shown.
    var shown: String {
        switch storage {
        case .integer(let value): return String(value)
        case .invalid: return "invalid"
        case .parts(let buffer):
            let parts = buffer.withRow(0) { cells in
                cells.map { cell -> String in
                    if cell.kind == .timestamp { return ISO8601.text(ofMicroseconds: cell.integer) }
                    guard cell.hasBytes else { return String(cell.integer) }
                    return cell.kind == .text
                        ? "\"" + String(decoding: cell.bytes, as: UTF8.self) + "\""
                        : cell.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                }
            }
            return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: ", ") + ")"
        }
    }
}

/// A type that can be passed as a primary key: a ``Key``, or the value of a key with one part.
public protocol KeyConvertible: Sendable {
    var _key: Key { get }
}

extension Key: KeyConvertible {
    public var _key: Key { self }
}
