extension JSON: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { storage == .native ? .json : nil }

    public static func _decode(_ cell: Cell) throws -> JSON {
        guard cell.kind == .json || cell.kind == .text else { throw cell.mismatch("JSON") }
        let text = String(decoding: cell.bytes, as: UTF8.self)
        // Another program may have written it.
        do { try JSONParser.check(text) } catch { throw CellMismatch.invalid("JSON") }
        return JSON(part: text, isChecked: true)
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if !isChecked {
            do { try JSONParser.check(text) } catch { throw CellMismatch.invalid("JSON: \(error.reason)") }
        }
        var text = text
        if let stored = text.withUTF8({ JSONNumberText.stored(UnsafeRawBufferPointer($0)) }) {
            return stored.withUnsafeBytes { encoder.append(.json, $0) }
        }
        try encoder.append(.json, text: text)
    }
}
