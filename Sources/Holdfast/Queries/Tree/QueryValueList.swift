/// Values of one type, bound as one list however many there are.
struct QueryValueList: Sendable {
    /// The values that are not nil, in a buffer of width 1.
    var values = ParameterBuffer(width: 1)
    /// Whether nil is among them.
    var hasNull = false
    /// The first value that can't be stored.
    var failure: CellMismatch?

    init() {}

    init<Value: Storable>(_ values: some Sequence<Value>, _ storage: ValueStorage) {
        var encoder = CellEncoder(width: 1)
        do {
            for value in values { try value._encode(into: &encoder, storage) }
        } catch {
            failure = (error as? CellMismatch) ?? .invalid("one that its conversion takes")
        }
        self.values = encoder.buffer
        hasNull = encoder.buffer.cells.contains(where: \.isNull)
        if hasNull { self.values.cells.removeAll(where: \.isNull) }
    }
}
