/// How much of the graph a fetch loads.
struct LoadScope: Sendable {
    /// Relations that are followed in any case.
    var including: RelationPaths = []
    /// How many levels of relations are followed; nil for all.
    var depth: Int?
    var missingTarget = MissingTarget.throw
    /// Whether objects that are found by their keys are found, too, if they are marked as deleted.
    var findsMarked = false
    /// Whether objects are left out for what they lack.
    var omitsLacking = true
    /// Whether objects are left out whose stored values don't fit their properties.
    var omitsUnreadable = false
    /// The properties that objects of the type get that is fetched, besides those that they can't be without; nil for
    /// all.
    var properties: [String]?

    /// The properties that objects of the fetched type get.
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` for a name that is none;
    ///   ``DatabaseError/Code/invalidValue`` if no object can be made of them;
    ///   ``DatabaseError/Code/unsupported`` of a struct.
    func mask(of description: TableDescription) throws -> PropertyMask {
        guard let properties else { return description.fullMask }
        guard description.isClass else {
            throw DatabaseError(
                .unsupported,
                "\(description.type) is a struct, which can't remember which properties were left out: saved, they would be lost. Select values instead.",
                table: description.table)
        }
        var mask = description.keyMask.union(description.masks.timestamps).union(description.versionMask)
        mask.formUnion(description.omitMask)
        for name in properties {
            guard let index = description.index(ofProperty: name) else { throw description.unknownProperty(name) }
            mask.insert(index)
        }
        // What paths name of objects of this type, wherever they lead through it, is followed too.
        var pending = [(including.root, description)]
        while let (node, holder) = pending.popLast() {
            for (name, child) in node.children {
                guard let index = holder.index(ofProperty: name), let relation = holder.columns.relation(index) else {
                    continue
                }
                if holder === description { mask.insert(index) }
                pending.append((child, relation.target.description))
            }
        }
        let missing = description.needed(besides: mask)
        guard missing.isEmpty else {
            throw DatabaseError(
                .invalidValue,
                "No \(description.type) can be made without \(missing.map { "\"\($0.name)\"" }.joined(separator: ", ")): not optional, and without a default. Ask for it too.",
                table: description.table, properties: missing.map(\.name))
        }
        return mask
    }

    func validate(from description: TableDescription) throws {
        try including.validate(from: description)
        if let depth, depth < 0 {
            throw DatabaseError(.invalidValue, "A fetch follows 0 levels of relations or more, not \(depth).")
        }
    }
}
