/// A value that a dictionary gives for one property, converted to the property's type.
struct GivenValue<Model> {
    let encode: (inout RowEncoder) throws -> Void
    /// Sets the property; nil if it can't be set in an object that exists.
    let set: ((inout Model) -> Void)?
}

/// An optional of any type.
private protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var content: Any? { self }
}

/// Returns what a value is besides being optional, however often.
func unwrapped(_ given: Any?) -> Any? {
    guard var value = given else { return nil }
    while let optional = value as? any AnyOptional {
        guard let content = optional.content else { return nil }
        value = content
    }
    return value
}

extension PropertyValue {
    // Objects: relations are refused by their names before.
    public static func _converting(_ given: Any?) throws -> Self { throw GivenValueFault.relation }
}

extension Optional where Wrapped: PropertyValue {
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _converting(_ given: Any?) throws -> Self {
        guard let given = unwrapped(given), (given as? GivenJSON)?.json.isNull != true else { return nil }
        return try Wrapped._converting(given)
    }
}

extension Array where Element: ArrayElement {
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _converting(_ given: Any?) throws -> Self {
        guard let given = unwrapped(given) else { throw GivenValueFault.null }
        if let array = given as? Self { return array }
        if let given = given as? GivenJSON { return try given.elements.map { try Element._converting($0) } }
        guard let elements = given as? [Any] else { throw GivenValueFault.type(of: given, needed: Self.self) }
        return try elements.map { try Element._converting($0) }
    }
}

extension Storable {
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _converting(_ given: Any?) throws -> Self {
        guard let given = unwrapped(given) else { throw GivenValueFault.null }
        if let value = given as? Self { return value }
        if let given = given as? GivenJSON { return try converted(from: given) }
        if let other = given as? any Storable, let value = try converted(from: other) { return value }
        throw GivenValueFault.type(of: given, needed: Self.self)
    }

    /// Converts what literals and other programs have for a value of this type: a number of another width, if it
    /// holds the same number, and the stored value of a conversion, such as a raw value.
    ///
    /// - Returns: nil if the types don't fit.
    private static func converted<Given: Storable>(from given: Given) throws -> Self? {
        guard Given.StoredValue.self == Given.self, let needed = _columnType(.native) else { return nil }
        var encoder = CellEncoder(width: 1)
        try given._encode(into: &encoder, .native)
        return try encoder.buffer.withRow(0) { cells in
            guard let cell = cells.first.flatMap({ $0.fitting(needed) }) else { return nil }
            return try _decode(cell)
        }
    }

    /// Converts what JSON has for a value of this type: as a column would have it, and is read.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    static func converted(from given: GivenJSON) throws -> Self {
        guard let type = _columnType(given.storage) else {
            throw CellMismatch.invalid("stored as its `storage` asks")
        }
        var encoder = CellEncoder(width: 1)
        try given.encode(into: &encoder, as: type, _textForm(given.storage))
        return try encoder.buffer.withRow(0) { cells in
            var cell = cells[0]
            cell.storage = given.storage
            do { return try _decode(cell) } catch  where given.json.isNull { throw GivenValueFault.null }
        }
    }
}

extension Cell {
    /// The cell as a value of a column type; nil if columns of that type have no values of this kind.
    fileprivate func fitting(_ type: ColumnType) -> Cell? {
        let fits: Bool
        switch type {
        case .boolean: fits = kind == .boolean
        case .int16, .int32, .int64: fits = kind == .integer
        case .float:
            if kind == .real {
                // As for a literal, the nearest `Float` is taken.
                let nearest = Float(real)
                return nearest.isFinite || !real.isFinite ? .real(Double(nearest)) : nil
            }
            fits = kind == .integer
        case .double: fits = kind == .real || kind == .integer
        case .decimal: fits = kind == .decimal || kind == .real || kind == .integer
        case .text: fits = kind == .text
        case .blob: fits = kind == .blob
        case .timestamp: fits = kind == .timestamp
        case .uuid: fits = kind == .uuid
        case .json: fits = false
        }
        return fits ? self : nil
    }
}
