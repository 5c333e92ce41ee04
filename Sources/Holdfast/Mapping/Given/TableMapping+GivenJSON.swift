import NearMisses

extension TableMapping {
    /// Makes an object of the members of JSON, and of defaults.
    ///
    /// - Parameter names: The properties that may be set.
    func making(of json: JSON, allowing names: Set<String>) throws -> Model {
        let members = try members(of: json, allowing: names, isNew: true)
        let model = try making(members.values, from: .json)
        try requireSame(members.fixed, allowing: names, in: model)
        return model
    }

    /// Sets the members of JSON in an object, once all of them are known to fit.
    func set(_ json: JSON, allowing names: Set<String>, in model: inout Model) throws {
        let members = try members(of: json, allowing: names, isNew: false)
        try requireSame(members.fixed, allowing: names, in: model)
        try set(members.values, from: .json, in: &model)
    }

    /// The members of an object.
    ///
    /// - Returns: The values to be set, by name; and those that have to be what the object has, by position.
    private func members(
        of json: JSON, allowing names: Set<String>, isNew: Bool
    ) throws -> (values: [String: Any?], fixed: [(index: Int, given: GivenJSON)]) {
        try description.validate()
        try json.requireAcceptable()
        guard let members = json.object else {
            throw DatabaseError(
                .invalidValue,
                "The JSON for a \(description.type) is no object. Send one with the names of its properties.",
                table: description.table)
        }
        var values: [String: Any?] = [:]
        var fixed: [(index: Int, given: GivenJSON)] = []
        for (name, value) in members.inOrder({ $0.key < $1.key }) {
            guard let index = description.index(ofProperty: name) else { throw notAllowed(name, names) }
            let property = description.properties[index]
            let given = GivenJSON(json: value, storage: property.storage)
            if !isNew, holdsObject(index) {
                fixed.append((index, given))
            } else if names.contains(property.name), !property.isVersion {
                values[property.name] = given
            } else if property.isKey || property.isVersion {
                fixed.append((index, given))
            } else {
                throw notAllowed(name, names)
            }
        }
        return (values, fixed)
    }

    /// Throws if something that can't be set is not what the object has.
    private func requireSame(
        _ fixed: [(index: Int, given: GivenJSON)], allowing names: Set<String>, in model: Model
    ) throws {
        for (index, given) in fixed {
            let property = description.properties[index]
            if holdsObject(index), let relation = description.columns.relation(index) {
                if try leads(relation, to: given, in: model) { continue }
                throw names.contains(property.name) ? holdsObjects(relation, .json) : notAllowed(property.name, [])
            }
            if try has(try converted(given, at: index), at: index, in: model) { continue }
            throw property.isVersion ? stale(property) : notAllowed(property.name, [])
        }
    }

    /// Whether a property holds one object itself, and not its key.
    private func holdsObject(_ index: Int) -> Bool {
        description.columns.relation(index).map { !$0.isArray && !$0.target.isLazy } ?? false
    }

    /// Whether a relation leads to the object whose key is given.
    private func leads(_ relation: Relation, to given: GivenJSON, in model: Model) throws -> Bool {
        switch try reference(relation.property, of: model) {
        case .unknown: return false
        case .nowhere, .newObject: return given.json.isNull
        case .key(let key):
            // What is no key at all is not this one.
            guard let sent = try? relation.target.type.key(in: given) else { return false }
            return relation.target.description.canonical(sent) == key
        }
    }

    // MARK: Errors

    private func notAllowed(_ name: String, _ names: Set<String>) -> DatabaseError {
        // It was sent: it can have any length, and any characters.
        let isShort = name.utf8.count <= 64
        let near = isShort ? nearMisses(of: name, among: names.sorted()) : []
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        let shown = isShort ? name.jsonQuoted : "a long name"
        return DatabaseError(
            .invalidValue,
            "The JSON for a \(description.type) has \(shown), which is no property that it may set.\(hint)",
            table: description.table, properties: [name])
    }

    private func stale(_ property: PropertyMapping) -> DatabaseError {
        DatabaseError(
            .staleVersion,
            "The JSON for a \(description.type) has another \"\(property.name)\" than the object. Read the object anew, and send what is to be changed.",
            table: description.table, properties: [property.name])
    }
}
