/// What a part of a program says of the scopes of types: the values of those that take one, and those that it ignores.
///
/// A dialect carries it to wherever a table becomes a source of rows; what it says is the library's own.
@_spi(Driver) public struct ScopeView: Hashable, Sendable {
    /// The values, by the names of their scopes.
    var values: [String: ScopeValue] = [:]
    /// The names of the scopes that are ignored.
    var ignored: Set<String> = []
    /// The positions of the parameters that are the values, as far as a statement has them.
    var positions: [String: Int] = [:]

    /// Whether both see the rows of types with scopes alike.
    func seesAs(_ other: ScopeView?) -> Bool { values == other?.values && ignored == other?.ignored }
}

/// The value of a scope.
struct ScopeValue: Hashable, Sendable {
    let type: ColumnType
    private let kind: Cell.Kind
    private let payload: UInt64
    private let bytes: [UInt8]

    /// - Parameter buffer: One cell, of a value that is an integer, a text or a UUID.
    init?(_ buffer: ParameterBuffer, _ type: ColumnType) {
        guard let cell = buffer.cells.first else { return nil }
        switch cell.kind {
        case .integer: (payload, bytes) = (cell.payload, [])
        case .text, .uuid:
            (payload, bytes) = (0, buffer.withRow(0) { cells in cells.first.map { Array($0.bytes) } ?? [] })
        case .null, .boolean, .real, .blob, .timestamp, .decimal, .json, .list: return nil
        }
        (self.type, kind) = (type, cell.kind)
    }

    /// Whether a column of a type holds such values.
    func fits(_ column: ColumnType) -> Bool {
        switch column {
        case .int16, .int32, .int64: kind == .integer
        default: column == type
        }
    }

    func append(to buffer: inout ParameterBuffer) {
        if kind == .integer {
            buffer.append(.integer(Int64(bitPattern: payload)))
        } else {
            bytes.withUnsafeBytes { buffer.append(kind, $0) }
        }
    }
}

extension ParameterBuffer {
    /// The parameters with values of scopes behind those of each row.
    func followed(by values: [ScopeValue]) -> ParameterBuffer {
        var result = ParameterBuffer(width: width + values.count)
        (result.bytes, result.lists) = (bytes, lists)
        result.cells.reserveCapacity(result.width * rowCount)
        for row in 0..<rowCount {
            for cell in cells[row * width..<(row + 1) * width] { result.cells.append(cell) }
            for value in values { value.append(to: &result) }
        }
        return result
    }
}
