/// The exceptions that one deletion makes to the delete rules of relations: objects that go too, and objects that stay.
struct DeleteChoice: Sendable {
    /// The relations whose objects go too, from the objects that are given.
    var including: RelationPaths = []
    /// The names of relations of the objects that are given whose objects stay.
    var keeping: Set<String> = []
    /// Whether rows are deleted that would else be marked.
    var isPermanent = false

    /// Rows are deleted in any case.
    static let permanent = DeleteChoice(isPermanent: true)

    var isEmpty: Bool { including.isEmpty && keeping.isEmpty }

    /// Throws if a name is no relation, or one that can't be followed.
    func validate(from description: TableDescription) throws {
        if isEmpty { return }
        try including.validate(from: description)
        for name in keeping {
            guard let index = description.index(ofProperty: name), description.columns.relation(index) != nil else {
                throw DatabaseError(
                    .invalidValue, "\"\(name)\" is no relation of \(description.type). Name one that leads to objects.",
                    table: description.table, properties: [name])
            }
            guard including.root.children[name] == nil else {
                throw DatabaseError(
                    .invalidValue, "A deletion of a \(description.type) includes and keeps \"\(name)\". Choose one.",
                    table: description.table, properties: [name])
            }
        }
        _ = try included(from: description)
    }

    /// The relations that the paths name, with the tables that have them.
    func included(from description: TableDescription) throws -> [(relation: Relation, owner: TableDescription)] {
        var result: [(relation: Relation, owner: TableDescription)] = []
        var pending = [(including.root, description)]
        while let (node, owner) = pending.popLast() {
            for (name, child) in node.children {
                let relation = try relation(name, of: owner)
                result.append((relation, owner))
                pending.append((child, relation.target.description))
            }
        }
        return result
    }

    /// A relation that a path names.
    func relation(_ name: String, of owner: TableDescription) throws -> Relation {
        guard let index = owner.index(ofProperty: name), let relation = owner.columns.relation(index) else {
            throw DatabaseError(
                .invalidValue, "\"\(name)\" is no relation of \(owner.type). Name one that leads to objects.",
                table: owner.table, properties: [name])
        }
        if case .reference = relation.storage, !owner.properties[index].isNullable {
            throw DatabaseError(
                .unsupported,
                "\"\(name)\" of \(owner.type) can't be nil, so what it leads to can't go first. Delete that afterwards.",
                table: owner.table, properties: [name])
        }
        return relation
    }
}
