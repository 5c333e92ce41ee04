extension Array: PropertyValue where Element: ArrayElement {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        guard storage.isArray else { return Element._arrayShape(storage) }
        return Element._columnElement.map { _ in .column(.json, isNullable: false) }
    }

    public static func _resolved(_ storage: ValueStorage) -> ValueStorage {
        storage == .array ? Element._columnElement.map { .array(of: $0) } ?? storage : storage
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? { Element._textForm(storage) }

    @inlinable
    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        storage.code == 0
            ? try Element._readArray(row, index, storage, of: Element.self)
            : try readStored(row, index, storage)
    }

    @usableFromInline
    static func readStored(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        guard storage.isArray else { return try Element._readArray(row, index, storage, of: Element.self) }
        return try Element._readColumnArray(row.cell(of: index), of: Element.self)
    }

    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { !row.isPresent(index) }

    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        if storage.isArray { return try Element._writeColumnArray(self, &encoder.cells) }
        encoder.beginArray(index, isPresent: true)
        try Element._writeArray(self, &encoder, index, storage)
    }

    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) {
        encoder.beginArray(index, isPresent: false)
    }

    public static func _isSame(_ left: Self, _ right: Self) -> Bool? {
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) {
            let isSame = Element._isSame(left, right)
            if isSame != true { return isSame }
        }
        return true
    }

    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        Element._originalArray(value, at: index)
    }

    @inlinable
    public static func _inPlaceOriginal(_ value: Self, at index: Int, evenIfEmpty: Bool) -> OriginalValue? {
        value.isEmpty && !evenIfEmpty ? nil : InPlaceOriginalValue(value, at: index)
    }
}

/// Arrays of values.
extension Storable {
    public static func _arrayShape(_ storage: ValueStorage) -> PropertyShape? {
        // The elements of a table of arrays are in columns of types that are known.
        if _textForm(storage) == .ofColumnType { return nil }
        return _columnType(storage).map { .array(element: $0, elementIsNullable: _isNullable, isOptional: false) }
    }

    @inlinable
    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        let array = try row.withElements(of: index) { cells, base in
            var array: [Self] = []
            array.reserveCapacity(cells.count)
            for var cell in cells {
                if cell.hasBytes { cell.payload &+= base }
                cell.storage = storage
                array.append(try _decode(cell))
            }
            return array
        }
        guard Element.self == Self.self else { throw RowFault.notLoaded }
        return unsafeBitCast(array, to: [Element].self)  // the types were compared
    }

    public static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws {
        for element in array {
            try encoder.appendElement(of: index) { try element._encode(into: &$0, storage) }
        }
    }
}

extension Storable {
    public static var _columnElement: ColumnType? {
        _columnType(.native).flatMap { $0.elementForm == nil ? nil : $0 }
    }

    public static func _readColumnArray<Element>(_ cell: Cell, of element: Element.Type) throws -> [Element] {
        guard cell.kind == .json || cell.kind == .text else { throw cell.mismatch("an array") }
        guard let elements = ArrayText.cells(of: cell.bytes, as: _columnElement) else {
            throw CellMismatch.invalid("an array of values")
        }
        let array = try elements.rowIndices.map { row in
            try elements.withRow(row) { cells in try _decode(cells[0]) }
        }
        guard Element.self == Self.self else { throw RowFault.notLoaded }
        return unsafeBitCast(array, to: [Element].self)  // the types were compared
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _writeColumnArray(_ array: [Self], _ encoder: inout CellEncoder) throws {
        var text = ArrayText()
        var element = CellEncoder(width: 1)
        for value in array {
            element.buffer = ParameterBuffer(width: 1)
            try value._encode(into: &element, .native)
            try element.buffer.withRow(0) { cells in try text.append(cells[0]) }
        }
        text.end()
        if element.hasAdjusted { encoder.hasAdjusted = true }
        text.utf8.withUnsafeBytes { encoder.append(.json, $0) }
    }
}
