/// A value in a query, which becomes a bound parameter.
enum QueryValue: Sendable {
    /// Encoded as the property is that it stands beside: one cell, or what is wrong with it.
    case encoded(ParameterBuffer, ColumnType)
    case invalid(CellMismatch)
    /// To be encoded as the property that it stands beside; known only once that is.
    case open(any Storable & Sendable)
    /// A number or text as it was written in condition text.
    case literal(QueryLiteral)

    /// A value to be encoded later; nil is none.
    static func opening(_ value: some Storable & Sendable) -> QueryNode {
        var encoder = CellEncoder(width: 1)
        // What can't be encoded natively says so when it is encoded for its property.
        try? value._encode(into: &encoder, .native)
        return encoder.buffer.cells.first?.isNull == true ? .null : .value(.open(value))
    }

    /// Encodes `value` as a property with `storage` does.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    static func encoding(_ value: some Storable, _ storage: ValueStorage) -> QueryNode {
        do {
            var encoder = CellEncoder(width: 1)
            try value._encode(into: &encoder, storage)
            guard let cell = encoder.buffer.cells.first, !cell.isNull else { return .null }
            guard let type = type(of: value)._columnType(storage) else {
                return .value(.invalid(.invalid("one that can be stored so")))
            }
            return .value(.encoded(encoder.buffer, type))
        } catch {
            return .value(.invalid((error as? CellMismatch) ?? .invalid("one that its conversion takes")))
        }
    }
}

/// A value as condition text writes it.
enum QueryLiteral: Sendable {
    /// Digits, perhaps with a sign.
    case integer(String)
    /// Digits with a point or an exponent.
    case number(String)
    case text(String)
    case boolean(Bool)
}

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
