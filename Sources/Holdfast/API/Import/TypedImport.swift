/// The import of the objects of one type as those of another.
struct TypedImport<Source: TableObject, Target: TableObject>: ImportPair {
    let condition: Condition
    let names: [String: String]
    let omitted: Set<String>
    let relations: [String]
    let setting: (@Sendable (Source, inout [String: Any?]) throws -> Void)?

    var source: any TableObject.Type { Source.self }
    var target: any TableObject.Type { Target.self }

    private typealias Plan = ImportPlan<Source, Target>

    private func plan(_ run: ImportRun, at position: Int) throws -> Plan {
        try Plan(names, omitted, run.pairs, at: position)
    }

    func check(_ run: ImportRun, at position: Int) throws { _ = try plan(run, at: position) }

    func insert(_ run: ImportRun, at position: Int) async throws -> Int {
        let plan = try plan(run, at: position)
        let links = plan.links.filter(\.isEarly)
        var count = 0
        try await forEachBatch(of: run, following: links) { objects in
            var made: [Target] = []
            made.reserveCapacity(objects.count)
            do {
                for object in objects { made.append(try Target(values: values(of: object, plan.values))) }
            } catch var error as DatabaseError {
                error.objectIndex = count + made.count
                throw error
            }
            do {
                try await set(links, of: objects, in: &made, run)
                try await SaveOperation(access: run.new._access, verb: .insert, scope: .importing).run(&made)
            } catch var error as DatabaseError {
                // Among all of the type.
                error.objectIndex = error.objectIndex.map { $0 + count }
                throw error
            }
            count += made.count
        }
        return count
    }

    func relate(_ run: ImportRun, at position: Int) async throws {
        let links = try plan(run, at: position).links.filter { !$0.isEarly }
        if links.isEmpty { return }
        try await forEachBatch(of: run, following: links) { objects in
            let keys = try objects.map { try targetKey(of: $0) }
            let stored = try await targets(keys, in: run.new, including: links.map(\.name))
            var made = keys.compactMap { stored[$0] as? Target }
            guard made.count == keys.count else { throw missing("an object", of: Target.self) }
            try await set(links, of: objects, in: &made, run)
            try await SaveOperation(access: run.new._access, verb: .save, scope: .importing).run(&made)
        }
    }

    func targetKey(of object: Any) throws -> Key {
        // Both have the same key: that is how they were found.
        if let key = (object as? any KeyHolder)?.key { return Target.ownDescription.canonical(key) }
        guard let object = object as? Source else { throw missing("an object", of: Source.self) }
        let (mapping, description) = (Target.ownMapping, Target.ownDescription)
        let values = try values(of: object, try Plan.keyValues(names))
        var encoder = RowEncoder(description, mask: description.keyMask)
        for index in description.keyMask.indices {
            let name = description.properties[index].name
            guard let value = values[name] ?? nil else {
                throw DatabaseError(
                    .conflict,
                    "\"\(name)\" of \(description.type) is its key, by which relations are found, and \(Source.ownDescription.type) has none. Rename a property to it, or set it.",
                    table: description.table, properties: [name])
            }
            do {
                try mapping.accessors[index].convert(value).encode(&encoder)
            } catch let error as DatabaseError {
                throw error
            } catch {
                let sentence =
                    (error as? GivenValueFault)?.sentence ?? (error as? CellMismatch)?.sentence
                    ?? "was refused by the conversion to the property's type"
                throw DatabaseError(
                    .invalidValue, "The key \"\(name)\" of \(description.type) \(sentence).",
                    table: description.table, properties: [name])
            }
        }
        try encoder.cells.buffer.requireEncodedKey(0, of: description)
        let key = encoder.cells.buffer.withRow(0) { cells in
            cells.baseAddress.map { Key(cells: $0, count: cells.count) }
        }
        guard let key else { throw missing("a key", of: Source.self) }
        return key
    }

    func targets(
        _ keys: [Key], in transaction: Transaction, including relations: [String]
    ) async throws -> [Key: Any] {
        if keys.isEmpty { return [:] }
        let objects = try await transaction.fetch(
            Target.self, keys: keys.map(Target.ownDescription.exposed), including: RelationPaths(relations), depth: 0)
        var result: [Key: Any] = [:]
        for object in objects {
            if let key = try Target.ownMapping.key(of: object) { result[key] = object }
        }
        return result
    }

    // MARK: Parts

    private func forEachBatch(
        of run: ImportRun, following links: [Plan.Link], _ body: ([Source]) async throws -> Void
    ) async throws {
        let query = run.old.query(Source.self).where(condition).depth(0).including(
            RelationPaths(links.map(\.sourceName) + relations)
        ).missingTarget(run.missingTarget)
        var cursor: PageCursor?
        repeat {
            let page = try await query.page(size: run.batchSize, after: cursor)
            try await run.old.loadColumnsOnDemand(of: page.objects)
            if !page.objects.isEmpty { try await body(page.objects) }
            cursor = page.next
        } while cursor != nil
    }

    private func values(of object: Source, _ plan: [Plan.Value]) throws -> [String: Any?] {
        var values: [String: Any?] = [:]
        for value in plan { values.updateValue(object[keyPath: value.path], forKey: value.name) }
        try setting?(object, &values)
        return values
    }

    /// Sets relations to what their targets became.
    private func set(
        _ links: [Plan.Link], of objects: [Source], in made: inout [Target], _ run: ImportRun
    ) async throws {
        for link in links {
            var keys: [[Key]?] = []
            for object in objects {
                // Nil differs from an empty array.
                let related = unwrapped(object[keyPath: link.path]).map { $0 as? [Any] ?? [$0] }
                keys.append(try related?.map { try link.pair.targetKey(of: $0) })
            }
            let wanted = Set(keys.compactMap(\.self).joined())
            let found = try await link.pair.targets(Array(wanted), in: run.new, including: [])
            for (index, keys) in keys.enumerated() {
                guard let keys else { continue }
                let related = keys.compactMap { found[$0] }
                guard related.count == keys.count else {
                    var error = missing("what \"\(link.sourceName)\" leads to", of: link.pair.source)
                    (error.properties, error.objectIndex) = ([link.sourceName], index)
                    throw error
                }
                try link.set(&made[index], related)
            }
        }
    }

    private func missing(_ what: String, of type: any TableObject.Type) -> DatabaseError {
        DatabaseError(
            .notFound,
            "The import of \(Source.ownDescription.type) needs \(what), a \(type.ownDescription.type), which was not imported. Nothing was imported.",
            table: Source.ownDescription.table)
    }
}

/// A relation that holds a key instead of an object.
protocol KeyHolder {
    var key: Key? { get }
}

extension Reference: KeyHolder {}

extension ImportPlan {
    /// All values of the source, by the names that they have in the target, with those that it lacks.
    static func keyValues(_ names: [String: String]) throws -> [Value] {
        let description = Source.ownDescription
        return description.properties.enumerated().compactMap { index, property in
            guard description.columns.relation(index) == nil, let path = property.keyPath as? PartialKeyPath<Source>
            else { return nil }
            return Value(path: path, name: names[property.name] ?? property.name)
        }
    }
}
