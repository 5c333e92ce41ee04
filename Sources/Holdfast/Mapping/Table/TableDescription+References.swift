/// What may be the reason why a foreign key refuses a change of this type's rows.
extension TableDescription {
    private typealias Reference = (owner: TableDescription, relation: Relation)

    /// The error of a foreign key with the relations that it may be about: one if the engine names it, else all.
    ///
    /// - Parameter known: Types that may refer to this one.
    func namingReferences(_ error: DatabaseError, knowing known: [TableDescription]) -> DatabaseError {
        guard var side = error.foreignKeySide else { return error }
        if side == .missing, let table = error.table, table != tableName.name, table != self.table { return error }
        var references = side == .missing ? ownReferences : references(from: known)
        if side == .missing, references.isEmpty, error.constraint == nil {
            // What was changed has to be what others refer to.
            (side, references) = (.referred, self.references(from: known))
        }
        if let constraint = error.constraint {
            if side == .referred, let table = error.table {
                references = references.filter { $0.owner.tableName.name == table }
            }
            let named = references.filter { owner, relation in
                guard case .reference(let columns) = relation.storage else { return false }
                return ForeignKeyDefinition.name(of: columns, on: owner.tableName.name) == constraint
            }
            if !named.isEmpty { references = named }
        }
        // The driver's words name the constraint.
        if references.isEmpty, error.constraint != nil { return error }
        var error = error
        error.foreignKeySide = nil
        let owners = Set(references.map { ObjectIdentifier($0.owner) })
        if owners.count == 1, let owner = references.first?.owner {
            error.table = owner.table
            error.properties = references.map(\.relation.name)
        } else if error.table == nil || error.table == tableName.name {
            error.table = table
        }
        error.message = DatabaseError.foreignKeyMessage(
            side, of: table, by: references.map { "\"\($0.relation.name)\" of \($0.owner.type)" })
        return error
    }

    private var ownReferences: [Reference] {
        columns.relations.filter { isReference($0) }.map { (self, $0) }
    }

    private func references(from known: [TableDescription]) -> [Reference] {
        var seen: Set<ObjectIdentifier> = []
        let reached = [self] + columns.relations.map(\.target.description) + known
        let all = reached.filter { seen.insert(ObjectIdentifier($0)).inserted }
            .flatMap { owner in owner.ownReferences.filter { $0.relation.target.description === self } }
        // Others are set to NULL, or their rows are deleted too, unless somebody else made their tables.
        let holding = all.filter { owner, relation in
            relation.deleteRule == .deny || owner.otherSide(of: relation)?.deleteRule == .deny
                || owner.holdingRelations.contains { $0.property == relation.property }
        }
        return holding.isEmpty ? all : holding
    }

    private func isReference(_ relation: Relation) -> Bool {
        guard case .reference = relation.storage else { return false }
        return properties[relation.property].hasForeignKey
    }
}
