extension TableMappingBuilder {
    /// The stored values of all cases of an enum, for its CHECK constraint.
    mutating func cases<Value: PropertyValue>(
        of type: Value.Type, _ shape: PropertyShape, _ storage: ValueStorage, _ name: String
    ) -> [ColumnDefinition.Case] {
        let type = (type as? any AnyOptional.Type)?.wrapped ?? type
        guard case .column = shape, let cases = (type as? any CaseIterable.Type)?.storedCases(storage), !cases.isEmpty
        else {
            problems.append(
                problem(
                    "has a check for the cases of an enum. Make its type an enum that is `CaseIterable`, of texts or integers, or remove the check",
                    name))
            return []
        }
        return cases
    }
}

private protocol AnyOptional {
    static var wrapped: Any.Type { get }
}

extension Optional: AnyOptional {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension CaseIterable {
    /// The stored values of all cases, each once; nil if one is neither a text nor an integer.
    fileprivate static func storedCases(_ storage: ValueStorage) -> [ColumnDefinition.Case]? {
        var seen = Set<ColumnDefinition.Case>()
        var cases: [ColumnDefinition.Case] = []
        for value in allCases {
            var encoder = CellEncoder(width: 1)
            // One that can't be stored is a problem of the mapping, as one of another kind is.
            guard let value = value as? any Storable, (try? value._encode(into: &encoder, storage)) != nil,
                let stored = encoder.buffer.withRow(0, { ColumnDefinition.Case($0[0]) })
            else { return nil }
            if seen.insert(stored).inserted { cases.append(stored) }
        }
        return cases
    }
}
