import Holdfast

/// Why a cell can't be sent as a parameter of some type.
enum ParameterFailure: Error, Equatable {
    /// The server took the parameter for text for want of anything better, or because it is text: preparing the
    /// statement again with a type of ours tells.
    case isAmbiguous
    /// The value is of the right kind, but the type can't hold exactly this one.
    case doesNotFit
    /// The type can hold it, but the column asks for fewer digits or characters.
    case exceedsLimit(ValueLimit)
    /// Values of this kind don't go into the type.
    case mismatch
    /// The server takes less than 1 GiB for a row of parameters.
    case tooLarge
}

/// One row of parameters in the form that libpq takes, made anew for each row in memory that is used again.
///
/// The form of a parameter depends on the type that the server inferred for it. Numbers go into any number type that
/// holds exactly their value; an instant into `timestamptz`, into `timestamp` as its wall clock in UTC, and into `date`
/// if it is a midnight in UTC; a text into anything, for the server to read.
struct ParameterEncoder: ~Copyable {
    let types: [WireType]
    /// The limits of columns that hold only some values of their types; empty if all hold every value.
    private let limits: [ValueLimit?]
    let values: UnsafeMutablePointer<UnsafePointer<CChar>?>
    let lengths: UnsafeMutablePointer<Int32>
    let formats: UnsafeMutablePointer<Int32>
    /// Where values are written that don't travel as they are in memory.
    private var arena: UnsafeMutableRawBufferPointer
    private var used = 0
    /// The lists of the row, as arrays.
    private var arrays: [ArrayEncoder] = []

    /// Space enough for all values of fixed size.
    private let fixedSize: Int

    /// How many bytes the values of a row may have.
    ///
    /// The server takes messages of less than 1 GiB. Beside the values, a message holds the statement's name, and for
    /// each of up to 65,535 parameters at most 256 bytes: a length, a format, and what a value of fixed size costs.
    static let greatestRow = (1 << 30) - (1 << 25)

    init(_ types: [WireType], limits: [ValueLimit?] = []) {
        (self.types, self.limits) = (types, limits)
        let count = max(types.count, 1)
        // In one block: it is made for each statement.
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: count * (MemoryLayout<UnsafePointer<CChar>?>.stride + 2 * MemoryLayout<Int32>.stride),
            alignment: MemoryLayout<UnsafePointer<CChar>?>.alignment)
        values = block.bindMemory(to: UnsafePointer<CChar>?.self, capacity: count)
        lengths = UnsafeMutableRawPointer(values + count).bindMemory(to: Int32.self, capacity: count)
        formats = UnsafeMutableRawPointer(lengths + count).bindMemory(to: Int32.self, capacity: count)
        fixedSize = types.reduce(0) { $0 + Self.fixedSize(of: $1) }
        arena = .allocate(byteCount: max(fixedSize, 8), alignment: 8)
    }

    deinit {
        UnsafeMutableRawPointer(values).deallocate()
        arena.deallocate()
    }

    /// Space for a value of fixed size, and for the zero and the padding behind one that is not.
    private static func fixedSize(of type: WireType) -> Int {
        switch type {
        // Of a Double.
        case .numeric: 256
        // A UUID's text is the longest.
        default: 56
        }
    }

    /// A cell that can't be sent.
    struct Failure {
        var cause: ParameterFailure
        var kind: Cell.Kind
        var row: Int
        var column: Int
    }

    /// A function that passes a row to libpq: values, their lengths, and their formats.
    typealias Send = (
        UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
    ) -> Int32

    /// Encodes a row and calls `send` with it; what it is given lives until the call ends.
    ///
    /// - Returns: What `send` returned, or the cell that can't be sent.
    mutating func send(_ parameters: ParameterBuffer, row: Int, _ send: Send) -> (Int32, Failure?) {
        parameters.withRow(row) { cells in
            let failure = encode(cells, parameters.lists, row)
            return (failure == nil ? send(values, lengths, formats) : 0, failure)
        }
    }

    /// The first cell that can't be sent, if there is one.
    mutating func firstFailure(_ parameters: ParameterBuffer) -> Failure? {
        for row in 0..<parameters.rowCount {
            if let failure = parameters.withRow(row, { encode($0, parameters.lists, row) }) { return failure }
        }
        return nil
    }

    private mutating func encode(
        _ cells: UnsafeBufferPointer<Cell>, _ lists: [ParameterBuffer], _ row: Int
    ) -> Failure? {
        used = 0
        arrays = []
        if let column = reserve(cells) {
            return Failure(cause: .tooLarge, kind: cells[column].kind, row: row, column: column)
        }
        for column in types.indices {
            do throws(ParameterFailure) {
                if cells[column].kind == .list {
                    try encode(lists[Int(cells[column].payload)], as: types[column], at: column)
                } else {
                    try encode(cells[column], as: types[column], at: column)
                }
                if column < limits.count, let limit = limits[column], !limit.allows(cells[column]) {
                    throw .exceedsLimit(limit)
                }
            } catch {
                return Failure(cause: error, kind: cells[column].kind, row: row, column: column)
            }
        }
        return nil
    }

    /// Makes room for a whole row in advance, so that the arena doesn't move while the row is built.
    ///
    /// - Returns: The column whose value makes the row too large, if it is: then nothing is reserved.
    private mutating func reserve(_ cells: UnsafeBufferPointer<Cell>) -> Int? {
        var needed = fixedSize
        var size = 0
        for index in types.indices where cells[index].hasBytes {
            size += Int(cells[index].count)
            if size > Self.greatestRow { return index }
            switch (cells[index].kind, types[index]) {
            case (.blob, .bytea), (.text, .text), (.json, .text), (.json, .json), (.text, .json): break
            default: needed += Int(cells[index].count) + 2
            }
        }
        if needed > arena.count {
            arena.deallocate()
            arena = .allocate(byteCount: needed + needed / 2, alignment: 8)
        }
        return nil
    }

    private mutating func encode(
        _ list: ParameterBuffer, as type: WireType, at index: Int
    ) throws(ParameterFailure) {
        guard case .array(let element, _) = type, let format = type.elementFormat else { throw .mismatch }
        let array = try ArrayEncoder(list, element: element, format)
        arrays.append(array)
        if arrays.reduce(0, { $0 + $1.bytes.count }) > Self.greatestRow { throw .tooLarge }
        formats[index] = 1
        point(at: array.bytes, index)
    }

    /// Encodes a value that is alone in its row, and calls `body` with what it became, in binary; nil for NULL.
    mutating func withValue(
        _ cell: Cell, _ body: (UnsafeRawBufferPointer?) -> Void
    ) throws(ParameterFailure) {
        used = 0
        let isTooLarge = withUnsafePointer(to: cell) { reserve(UnsafeBufferPointer(start: $0, count: 1)) } != nil
        if isTooLarge { throw .tooLarge }
        do throws(ParameterFailure) {
            try encode(cell, as: types[0], at: 0)
        } catch .isAmbiguous {
            throw .mismatch  // a list's type is named, so there is no other to try
        }
        // Text that the server would have to read can't be part of an array in binary.
        guard formats[0] == 1 else { throw .mismatch }
        body(values[0].map { UnsafeRawBufferPointer(start: $0, count: Int(lengths[0])) })
    }

    private mutating func encode(_ cell: Cell, as type: WireType, at index: Int) throws(ParameterFailure) {
        formats[index] = 1
        switch cell.kind {
        case .list: throw .mismatch
        case .null:
            values[index] = nil
            lengths[index] = 0
        case .boolean: try encode(boolean: cell.payload != 0, type, index)
        case .integer: try encode(integer: cell.integer, type, index)
        case .real: try encode(real: cell.real, type, index)
        case .timestamp: try encode(timestamp: cell.integer, type, index)
        case .decimal: try encode(decimal: cell.bytes, type, index)
        case .uuid: try encode(uuid: cell.bytes, type, index)
        case .blob:
            switch type {
            case .bytea: point(at: cell.bytes, index)
            case .text: throw .isAmbiguous
            default: throw .mismatch
            }
        case .json:
            switch type {
            case .json, .text: point(at: cell.bytes, index)
            case .jsonb: putJSONB(cell.bytes, index)
            case .array:
                guard let list = ArrayText.cells(of: cell.bytes, as: type.elementFormat?.jsonElement) else {
                    throw .mismatch
                }
                try encode(list, as: type, at: index)
            default: throw .mismatch
            }
        case .text:
            switch type {
            case .text, .json: point(at: cell.bytes, index)
            case .jsonb: putJSONB(cell.bytes, index)
            default: try putText(cell.bytes, index)
            }
        }
    }

    // MARK: Kinds

    private mutating func encode(boolean: Bool, _ type: WireType, _ index: Int) throws(ParameterFailure) {
        switch type {
        case .bool: put(UInt8(boolean ? 1 : 0), index)
        case .int2, .int4, .int8: try encode(integer: boolean ? 1 : 0, type, index)
        case .text: throw .isAmbiguous
        default: throw .mismatch
        }
    }

    private mutating func encode(integer: Int64, _ type: WireType, _ index: Int) throws(ParameterFailure) {
        switch type {
        case .int8: put(integer, index)
        case .int4: put(try exactly(Int32(exactly: integer)), index)
        case .int2: put(try exactly(Int16(exactly: integer)), index)
        case .oid: put(try exactly(UInt32(exactly: integer)), index)
        case .float8: put(try exactly(Double(exactly: integer)).bitPattern, index)
        case .float4: put(try exactly(Float(exactly: integer)).bitPattern, index)
        case .numeric:
            var text = integer.description
            let fits = text.withUTF8 { putNumeric(UnsafeRawBufferPointer($0), index) }
            if !fits { throw .doesNotFit }
        case .text: throw .isAmbiguous
        default: throw .mismatch
        }
    }

    private mutating func encode(real: Double, _ type: WireType, _ index: Int) throws(ParameterFailure) {
        switch type {
        case .float8: put(real.bitPattern, index)
        case .float4:
            let narrow = Float(real)
            guard Double(narrow) == real else { throw .doesNotFit }
            put(narrow.bitPattern, index)
        case .int2, .int4, .int8: try encode(integer: exactly(Int64(exactly: real)), type, index)
        case .numeric:
            let start = arena.baseAddress.map { $0 + used }
            guard let start, let count = NumericCodec.encode(real, to: start) else { throw .doesNotFit }
            setToArenaEnd(count, index)
        case .text: throw .isAmbiguous
        default: throw .mismatch
        }
    }

    private mutating func encode(timestamp: Int64, _ type: WireType, _ index: Int) throws(ParameterFailure) {
        switch type {
        case .timestamptz, .timestamp: put(try exactly(ServerTime.fromUnix(timestamp)), index)
        case .date: put(try exactly(ServerTime.day(ofUnix: timestamp)), index)
        case .text: throw .isAmbiguous
        default: throw .mismatch
        }
    }

    private mutating func encode(
        decimal: UnsafeRawBufferPointer, _ type: WireType, _ index: Int
    ) throws(ParameterFailure) {
        switch type {
        case .numeric: if !putNumeric(decimal, index) { throw .doesNotFit }
        case .int2, .int4, .int8:
            // 12.00 is an integer; 12.50 is none.
            let whole = decimal.prefix { $0 != UInt8(ascii: ".") }
            let isWhole = decimal[whole.endIndex...].dropFirst().allSatisfy { $0 == UInt8(ascii: "0") }
            guard isWhole else { throw .doesNotFit }
            try encode(integer: exactly(Int64(String(decoding: whole, as: UTF8.self))), type, index)
        case .float4, .float8:
            let text = String(decoding: decimal, as: UTF8.self)
            guard let value = Double(text), isSame(value, as: decimal) else { throw .doesNotFit }
            try encode(real: value, type, index)
        case .text: throw .isAmbiguous
        default: throw .mismatch
        }
    }

    private mutating func encode(
        uuid: UnsafeRawBufferPointer, _ type: WireType, _ index: Int
    ) throws(ParameterFailure) {
        guard uuid.count == 16 else { throw .doesNotFit }
        switch type {
        case .uuid, .bytea: point(at: uuid, index)
        case .text:
            // In lower case, as the server prints it.
            let start = used
            for (position, byte) in uuid.enumerated() {
                if [4, 6, 8, 10].contains(position) { append(UInt8(ascii: "-")) }
                for digit in [byte >> 4, byte & 15] { append(digit < 10 ? 48 + digit : 87 + digit) }
            }
            let count = used - start
            used = start
            setToArenaEnd(count, index)
        default: throw .mismatch
        }
    }

    /// Whether the shortest text of `value` is the number in `decimal`, zeros at its end aside.
    private func isSame(_ value: Double, as decimal: UnsafeRawBufferPointer) -> Bool {
        func canonical(_ text: some Sequence<UInt8>) -> [UInt8] {
            var bytes = Array(text)
            if bytes.contains(UInt8(ascii: ".")) {
                while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
                if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
            }
            return bytes
        }
        return canonical(NumericCodec.plainText(value).utf8) == canonical(decimal)
    }

    private func exactly<Value>(_ value: Value?) throws(ParameterFailure) -> Value {
        guard let value else { throw .doesNotFit }
        return value
    }

    // MARK: Writing

    private mutating func put(_ value: some FixedWidthInteger & BitwiseCopyable, _ index: Int) {
        arena.storeBytes(of: value.bigEndian, toByteOffset: used, as: type(of: value))
        setToArenaEnd(value.bitWidth / 8, index)
    }

    private mutating func append(_ byte: UInt8) {
        arena.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        used += 1
    }

    /// Makes the `count` bytes at the arena's end the value of a parameter.
    private mutating func setToArenaEnd(_ count: Int, _ index: Int) {
        values[index] = arena.baseAddress.map { UnsafePointer(($0 + used).assumingMemoryBound(to: CChar.self)) }
        lengths[index] = Int32(truncatingIfNeeded: count)
        used = (used + count + 7) & ~7
    }

    /// Makes bytes of the caller the value of a parameter.
    private mutating func point(at bytes: UnsafeRawBufferPointer, _ index: Int) {
        // libpq takes a null pointer for NULL, also where the length is 0.
        guard bytes.count > 0, let start = bytes.baseAddress else { return setToArenaEnd(0, index) }
        values[index] = start.assumingMemoryBound(to: CChar.self)
        lengths[index] = Int32(truncatingIfNeeded: bytes.count)
    }

    private mutating func putNumeric(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        let start = arena.baseAddress.map { $0 + used }
        guard let start, let count = NumericCodec.encode(text, to: start) else { return false }
        setToArenaEnd(count, index)
        return true
    }

    private mutating func putJSONB(_ text: UnsafeRawBufferPointer, _ index: Int) {
        arena.storeBytes(of: 1, toByteOffset: used, as: UInt8.self)
        arena.baseAddress.map { UnsafeMutableRawBufferPointer(start: $0 + used + 1, count: text.count) }?.copyMemory(
            from: text)
        setToArenaEnd(text.count + 1, index)
    }

    /// Sends text for the server to read, which needs a null at its end.
    private mutating func putText(_ text: UnsafeRawBufferPointer, _ index: Int) throws(ParameterFailure) {
        if text.contains(0) { throw .doesNotFit }
        arena.baseAddress.map { UnsafeMutableRawBufferPointer(start: $0 + used, count: text.count) }?.copyMemory(
            from: text)
        arena.storeBytes(of: 0, toByteOffset: used + text.count, as: UInt8.self)
        formats[index] = 0
        setToArenaEnd(text.count + 1, index)
    }
}
