/// What can be wrong with the relations of a mapping.
extension TableColumnsBuilder {
    /// Reports what is wrong with a reference to a unique property.
    mutating func checkAlternate(_ property: PropertyMapping, _ target: RelationTarget, isShared: Bool) {
        guard property.references != nil else { return }
        let other = target.description
        guard let index = property.referencedIndex(in: other), case .column(_, false) = other.properties[index].shape,
            !other.properties[index].isGenerated,
            other.properties[index].isKey || other.isUnique(index)
        else {
            return report(
                "names what is no unique property of \(other.type). Name one with a value that is never nil, and mark it @Unique",
                property)
        }
        if other.keyIndices.count != 1 {
            report("names a property in place of the key of \(other.type), which has several parts", property)
        }
        if target.isLazy {
            report(
                "is lazy, and holds the key of \(other.type). Make it a plain reference, or leave out `references`",
                property)
        }
        if isShared {
            report("names a property in place of a key, so it can't share the column of another property", property)
        }
    }

    /// Reports what is wrong with the declared columns of a join table.
    mutating func check(
        _ table: JoinTable, of property: PropertyMapping, _ index: Int, _ other: TableDescription
    ) {
        if let names = property.joinTableNames {
            let parts = [
                (names.owner.names, description.keyIndices.count, description.type),
                (names.element.names, other.keyIndices.count, other.type),
            ]
            for (given, count, type) in parts where !given.isEmpty && given.count != count {
                report(
                    "names \(given.count) columns of its join table for the \(count) of the key of \(type)", property)
            }
        }
        if let position = table.position,
            table.ownerColumns.contains(position)
                || table.elementColumns.contains(where: { $0.name == position })
        {
            report("has a join table whose position would be in a column of a key. Name it otherwise", property)
        }
        if table.ownerColumns == table.elementColumns.map(\.name) {
            report("has a join table whose columns are those of one key. Name those of the other", property)
        }
        // Two properties that write the same join table would delete each other's rows, or insert them twice.
        let relationSchema = other.tableName.schema
        let other = other.properties.enumerated().first { position, other in
            other.joinTable == table.name.name
                && !(position == index && property.shape.target?.description === description)
                && other.shape.target?.description === description
                && relationSchema == description.tableName.schema
        }
        if let other {
            report(
                "has the join table of \"\(other.element.name)\" at its other side. Declare one of them with `inverse:`",
                property)
        }
    }

    /// Reports what is wrong with the declared order of an array.
    mutating func check(_ order: [Ordering], of property: PropertyMapping, _ target: TableDescription) {
        for ordering in order {
            var index: Int?
            switch ordering.criterion {
            case .property(let name): index = target.index(ofProperty: name)
            case .keyPath(let keyPath): index = target.index(ofKeyPath: keyPath as AnyKeyPath)
            case .expression: break
            }
            guard let index, case .column(let type, _) = target.properties[index].shape, type != .json else {
                let name = if case .property(let name) = ordering.criterion { "\"\(name)\"" } else { "something" }
                report(
                    "is ordered by \(name), which is no value of \(target.type) that has an order. Name one", property)
                continue
            }
            let isText = type == .text && target.properties[index].storage == .native
            guard !ordering.ignoresCase || isText else {
                report("is ordered without case by \"\(target.properties[index].name)\", which is no text", property)
                continue
            }
        }
    }
}

extension TableDescription {
    /// Whether no two rows have the same in a property.
    fileprivate func isUnique(_ property: Int) -> Bool {
        properties[property].isUnique
            || indexes.contains { $0.isUnique && $0.isPlain && $0.properties == [properties[property].name] }
    }
}
