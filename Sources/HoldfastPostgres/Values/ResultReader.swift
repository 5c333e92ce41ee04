internal import CPostgres
@_spi(Driver) import Holdfast

/// The rows of a statement as cells, which point into libpq's memory or our copy of it.
final class ResultReader: RowSource {
    let affectedRows: Int
    private let catalog: TypeCatalog
    /// The result that tells names and types, and has the rows itself unless they are packed.
    private let shape: ServerResult?
    private let packed: PackedRows?
    private let columnCount: Int32
    let rowCount: Int

    // Nothing here calls code that could look at a property while it is changed, so no access is checked for that
    // (decision 0024).
    @exclusivity(unchecked) private var row = 0
    @exclusivity(unchecked) private var formats: UnsafeMutableBufferPointer<WireType> = .init(start: nil, count: 0)
    @exclusivity(unchecked) private var hasNumerics = false
    /// The JSON of the row's arrays.
    @exclusivity(unchecked) private var arrays: [UnsafeMutableRawBufferPointer] = []
    /// The bytes of the row's fields, where they are packed.
    @exclusivity(unchecked) private var fields: [UnsafeRawBufferPointer?] = []
    @exclusivity(unchecked) private var offset = 0
    @exclusivity(unchecked) private var cells: UnsafeMutableBufferPointer<Cell> = .init(start: nil, count: 0)
    /// Where the texts of a row's numerics are.
    @exclusivity(unchecked) private var arena: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)

    /// Whether columns of types that can't be read are refused before the first row, and if there is none.
    @exclusivity(unchecked) private var checksTypes: Bool

    init(_ gathered: GatheredResults, catalog: TypeCatalog, checksTypes: Bool = false) {
        self.checksTypes = checksTypes
        affectedRows = gathered.affectedRows
        (shape, columnCount) = (gathered.shape, gathered.columnCount)
        rowCount = gathered.rowCount
        packed = gathered.rows
        self.catalog = catalog
    }

    deinit {
        formats.deallocate()
        cells.deallocate()
        arena.deallocate()
        for array in arrays { array.deallocate() }
    }

    var underestimatedCount: Int { rowCount - row }

    /// How much memory the rows of a single run take.
    var byteCount: Int { shape.map { PQresultMemorySize($0.raw) } ?? 0 }

    var columnNames: [String] {
        guard let shape else { return [] }
        return (0..<columnCount).map { String(cString: PQfname(shape.raw, $0)) }
    }

    func next() throws -> UnsafePointer<Cell>? {
        guard row < rowCount, let shape else {
            if checksTypes, let shape { try requireReadable(shape) }
            return nil
        }
        if cells.baseAddress == nil {
            if checksTypes { try requireReadable(shape) }
            begin(shape)
        }
        if let packed {
            for column in fields.indices { fields[column] = packed.read(at: &offset) }
        }
        if hasNumerics { reserve(shape) }
        if !arrays.isEmpty { releaseArrays() }
        var used = 0
        let (cells, formats) = (cells, formats)
        for column in formats.indices {
            if let bytes = field(shape, column) {
                cells[column] = try cell(bytes, formats[column], column, shape, &used)
            } else {
                cells[column] = .null
            }
        }
        row += 1
        return UnsafePointer(cells.baseAddress)
    }

    private func begin(_ shape: ServerResult) {
        formats = .allocate(capacity: Int(columnCount))
        for column in 0..<columnCount {
            let type = PQftype(shape.raw, column)
            let format =
                PQfformat(shape.raw, column) == 0 ? WireType.text : catalog.format(type) ?? .other(type)
            formats.initializeElement(at: Int(column), to: type == TypeOID.character ? .paddedText : format)
        }
        hasNumerics = formats.contains(.numeric)
        cells = .allocate(capacity: max(formats.count, 1))
        cells.initialize(repeating: .null)
        if packed != nil { fields = Array(repeating: nil, count: formats.count) }
    }

    /// The bytes of a field of the present row; nil if it is NULL.
    private func field(_ shape: ServerResult, _ column: Int) -> UnsafeRawBufferPointer? {
        if packed != nil { return fields[column] }
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        let count = PQgetlength(shape.raw, row, column)
        if count == 0, PQgetisnull(shape.raw, row, column) == 1 { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(shape.raw, row, column), count: Int(count))
    }

    /// Makes room for all numerics of a row in advance, so that none moves.
    private func reserve(_ shape: ServerResult) {
        var needed = 0
        for column in formats.indices where formats[column] == .numeric {
            if let bytes = field(shape, column) { needed += NumericCodec.textCapacity(bytes) }
        }
        if needed > arena.count {
            arena.deallocate()
            arena = .allocate(byteCount: needed * 2, alignment: 8)
        }
    }

    private func cell(
        _ bytes: UnsafeRawBufferPointer, _ format: WireType, _ column: Int, _ shape: ServerResult, _ used: inout Int
    ) throws -> Cell {
        switch format {
        case .int8: return .integer(load(bytes, as: Int64.self))
        case .int4: return .integer(Int64(load(bytes, as: Int32.self)))
        case .int2: return .integer(Int64(load(bytes, as: Int16.self)))
        case .oid: return .integer(Int64(load(bytes, as: UInt32.self)))
        case .bool: return .boolean(load(bytes, as: UInt8.self) != 0)
        case .float8: return .real(Double(bitPattern: load(bytes, as: UInt64.self)))
        case .float4: return .real(Double(Float(bitPattern: load(bytes, as: UInt32.self))))
        case .text: return .bytes(.text, bytes)
        case .paddedText:
            let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
            return .bytes(.text, UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        case .json: return .bytes(.json, bytes)
        // A byte for the version of the format comes first.
        case .jsonb: return .bytes(.json, UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        case .bytea: return .bytes(.blob, bytes)
        case .uuid: return .bytes(.uuid, bytes)
        case .timestamptz, .timestamp:
            guard let instant = ServerTime.toUnix(load(bytes, as: Int64.self)) else {
                throw unreadable("an infinite date", column, shape)
            }
            return .timestamp(instant)
        case .date:
            guard let instant = ServerTime.toUnix(day: load(bytes, as: Int32.self)) else {
                throw unreadable("an infinite date", column, shape)
            }
            return .timestamp(instant)
        case .numeric:
            let start = arena.baseAddress.map { $0 + used }
            guard let start, let count = NumericCodec.write(bytes, to: start) else {
                throw unreadable("a number that is infinite or none (NaN)", column, shape)
            }
            used += count
            return .bytes(.decimal, UnsafeRawBufferPointer(start: start, count: count))
        case .void: return .null
        case .array where format.isReadable:
            do throws(ArrayReader.Failure) {
                let json = try ArrayReader.json(bytes, format.elementFormat ?? format)
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: json.count, alignment: 1)
                copy.copyBytes(from: json)
                arrays.append(copy)
                return .bytes(.json, UnsafeRawBufferPointer(copy))
            } catch {
                throw unreadable("an array \(error.what)", column, shape)
            }
        case .array, .other: throw DatabaseError.unreadable(column, shape, catalog)
        }
    }

    /// Throws if a column is of a type that can't be read.
    private func requireReadable(_ shape: ServerResult) throws {
        checksTypes = false
        for column in 0..<Int(columnCount) where catalog.format(shape.type(column))?.isReadable == false {
            throw DatabaseError.unreadable(column, shape, catalog)
        }
    }

    private func releaseArrays() {
        for array in arrays { array.deallocate() }
        arrays = []
    }

    private func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, as type: Value.Type
    ) -> Value {
        // Every type has its length; a value of another one would come from a broken server.
        bytes.count >= MemoryLayout<Value>.size ? Value(bigEndian: bytes.loadUnaligned(as: type)) : 0
    }

    private func unreadable(_ what: String, _ column: Int, _ shape: ServerResult) -> DatabaseError {
        let name = name(column, shape)
        return DatabaseError(
            .decoding, "The column \"\(name)\" holds \(what), which no property can.", properties: [name])
    }

    private func name(_ column: Int, _ shape: ServerResult) -> String {
        String(cString: PQfname(shape.raw, Int32(truncatingIfNeeded: column)))
    }
}

extension ServerResult {
    /// The type of a column.
    func type(_ column: Int) -> UInt32 { PQftype(raw, Int32(truncatingIfNeeded: column)) }
}

extension DatabaseError {
    /// The error about a column of a type that can't be read.
    static func unreadable(_ column: Int, _ shape: ServerResult, _ catalog: TypeCatalog) -> DatabaseError {
        let name = String(cString: PQfname(shape.raw, Int32(truncatingIfNeeded: column)))
        let type = catalog.name(shape.type(column))
        var error = DatabaseError(
            .unsupported,
            "The column \"\(name)\" is of the type \(type), which can't be read. Cast it in the statement: \(name)::text.",
            properties: [name])
        error.unreadableType = type
        return error
    }
}
