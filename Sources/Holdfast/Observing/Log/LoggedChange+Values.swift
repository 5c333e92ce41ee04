import Foundation

extension LoggedChange {
    /// Returns the key of the changed object; nil if the change is one of another type.
    ///
    /// ```swift
    /// if let key = try change.key(of: Person.self) { try await refresh(key) }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the key is none of the type, as that is mapped now.
    public func key<Model: TableObject>(of type: Model.Type) throws -> Key? {
        let description = Model.ownDescription
        return try key(of: description).map(description.exposed)
    }

    /// The key of the changed object, as its columns hold it.
    private func key(of description: TableDescription) throws -> Key? {
        guard description.tableName.name == table, kind != .truncated, kind != .gap else { return nil }
        guard keyTexts.count == description.keyIndices.count else { throw malformed("key", description) }
        var buffer = ParameterBuffer(width: keyTexts.count)
        for (text, index) in zip(keyTexts, description.keyIndices) {
            let property = description.properties[index]
            guard let text, let type = property.columnType, LoggedText.append(text, type, to: &buffer) else {
                throw malformed(property.name, description)
            }
        }
        return Key(cells: buffer.cells, bytes: buffer.bytes)
    }

    /// The change as observed queries know one.
    ///
    /// - Returns: nil where it can't be told.
    func objectChange(of description: TableDescription) -> ObjectChange? {
        // A key of another shape than the mapping has now: whoever observes looks for themselves.
        guard let key = try? key(of: description) else { return nil }
        switch kind {
        case .inserted: return ObjectChange(kind: .inserted, key: key)
        case .deleted: return ObjectChange(kind: .deleted, key: key)
        case .truncated, .gap: return nil
        case .updated:
            // Arrays are logged by the names of their properties.
            let properties = description.columns.all.filter { columns.contains($0.name) }
                .map { description.properties[$0.property].name }
            return ObjectChange(kind: .updated, key: key, properties: properties + columns)
        }
    }

    /// Returns the value that a property had before the change; nil if it was NULL, did not change, or is not logged.
    ///
    /// ```swift
    /// @Table(log: .oldValues) final class Account { var balance: Decimal … }
    /// let before = try change.oldValue(\Account.balance)
    /// ```
    ///
    /// Each is read for itself: whatever other columns hold, this one is exact, or told of.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if what the log has is no value of the property.
    public func oldValue<Model: TableObject, Value: Storable>(_ property: KeyPath<Model, Value>) throws -> Value? {
        try oldValue(property, of: Model.ownDescription)
    }

    /// Returns the value that an optional property had before the change.
    public func oldValue<Model: TableObject, Value: Storable>(_ property: KeyPath<Model, Value?>) throws -> Value? {
        try oldValue(property, of: Model.ownDescription)
    }

    private func oldValue<Value: Storable>(_ keyPath: AnyKeyPath, of description: TableDescription) throws -> Value? {
        let index = try description.requiredIndex(of: keyPath)
        let property = description.properties[index]
        guard description.tableName.name == table, let column = property.columnName, let type = property.columnType,
            let text = oldTexts?[column] ?? nil
        else { return nil }
        var buffer = ParameterBuffer(width: 1)
        guard !repairedColumns.contains(column), LoggedText.append(text, type, to: &buffer) else {
            throw malformed(property.name, description)
        }
        return try buffer.withRow(0) { cells in
            try cells.baseAddress.map { try decodeSelected($0, 0, property.storage) as Value }
        }
    }

    private func malformed(_ property: String, _ description: TableDescription) -> DatabaseError {
        DatabaseError(
            .decoding,
            "The log has a value of \"\(property)\" of \(description.type) that the property can't have, in entry \(number).",
            table: table, properties: [property])
    }
}
