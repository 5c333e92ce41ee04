internal import CPostgres
import Holdfast

/// The results of a statement, row by row, as cells that point into libpq's memory.
final class ResultReader: RowSource {
    private let results: [ServerResult]
    let affectedRows: Int
    private let catalog: TypeCatalog

    private var current = 0
    private var row: Int32 = 0
    private var formats: [WireType] = []
    private var cells: UnsafeMutableBufferPointer<Cell> = .init(start: nil, count: 0)
    /// Where the texts of a row's numerics are.
    private var arena: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)

    init(_ results: [ServerResult], affectedRows: Int, catalog: TypeCatalog) {
        self.results = results
        self.affectedRows = affectedRows
        self.catalog = catalog
    }

    deinit {
        cells.deallocate()
        arena.deallocate()
    }

    var columnNames: [String] {
        guard let result = results.first else { return [] }
        return (0..<result.columnCount).map { String(cString: PQfname(result.raw, $0)) }
    }

    func next() throws -> UnsafePointer<Cell>? {
        while current < results.count, row == results[current].rowCount {
            current += 1
            row = 0
        }
        guard current < results.count else { return nil }
        let result = results[current]
        if row == 0, current == 0 { begin(result) }
        try reserve(result)
        var used = 0
        for column in formats.indices {
            cells[column] = try cell(result.raw, Int32(truncatingIfNeeded: column), &used)
        }
        row += 1
        return UnsafePointer(cells.baseAddress)
    }

    private func begin(_ result: ServerResult) {
        formats = (0..<result.columnCount).map { column in
            if PQfformat(result.raw, column) == 0 { return .text }
            return catalog.format(PQftype(result.raw, column)) ?? .other(PQftype(result.raw, column))
        }
        cells = .allocate(capacity: max(formats.count, 1))
        cells.initialize(repeating: .null)
    }

    /// Makes room for all numerics of a row at once, so that none moves.
    private func reserve(_ result: ServerResult) throws {
        var needed = 0
        for column in formats.indices where formats[column] == .numeric {
            needed += NumericCodec.textCapacity(bytes(result.raw, Int32(truncatingIfNeeded: column)))
        }
        if needed > arena.count {
            arena.deallocate()
            arena = .allocate(byteCount: needed * 2, alignment: 8)
        }
    }

    private func bytes(_ result: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
        let count = Int(PQgetlength(result, row, column))
        return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count)
    }

    private func cell(_ result: OpaquePointer, _ column: Int32, _ used: inout Int) throws -> Cell {
        if PQgetisnull(result, row, column) == 1 { return .null }
        let bytes = bytes(result, column)
        switch formats[Int(column)] {
        case .int8: return .integer(load(bytes, as: Int64.self))
        case .int4: return .integer(Int64(load(bytes, as: Int32.self)))
        case .int2: return .integer(Int64(load(bytes, as: Int16.self)))
        case .oid: return .integer(Int64(load(bytes, as: UInt32.self)))
        case .bool: return .boolean(load(bytes, as: UInt8.self) != 0)
        case .float8: return .real(Double(bitPattern: load(bytes, as: UInt64.self)))
        case .float4: return .real(Double(Float(bitPattern: load(bytes, as: UInt32.self))))
        case .text: return .bytes(.text, bytes)
        case .json: return .bytes(.json, bytes)
        case .jsonb: return .bytes(.json, UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        case .bytea: return .bytes(.blob, bytes)
        case .uuid: return .bytes(.uuid, bytes)
        case .timestamptz, .timestamp:
            return .timestamp(try instant(ServerTime.toUnix(load(bytes, as: Int64.self)), result, column))
        case .date:
            return .timestamp(try instant(ServerTime.toUnix(day: load(bytes, as: Int32.self)), result, column))
        case .numeric:
            let start = arena.baseAddress.map { $0 + used }
            guard let start, let count = NumericCodec.write(bytes, to: start) else {
                throw unreadable(result, column, "a number that is infinite or none (NaN)")
            }
            used += count
            return .bytes(.decimal, UnsafeRawBufferPointer(start: start, count: count))
        case .void: return .null
        case .other(let oid):
            let name = String(cString: PQfname(result, column))
            let message = "The column \"\(name)\" is of the type \(catalog.name(oid)), which can't be read."
            throw DatabaseError(.unsupported, message + " Cast it in the statement: \(name)::text.")
        }
    }

    private func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, as type: Value.Type
    ) -> Value {
        // The server says how long a value of a type is; a shorter one would be a broken server.
        bytes.count >= MemoryLayout<Value>.size ? Value(bigEndian: bytes.loadUnaligned(as: type)) : 0
    }

    private func instant(_ value: Int64?, _ result: OpaquePointer, _ column: Int32) throws -> Int64 {
        guard let value else { throw unreadable(result, column, "an infinite date") }
        return value
    }

    private func unreadable(_ result: OpaquePointer, _ column: Int32, _ what: String) -> DatabaseError {
        let name = String(cString: PQfname(result, column))
        return DatabaseError(.decoding, "The column \"\(name)\" holds \(what), which no property can.", properties: [name])
    }
}
