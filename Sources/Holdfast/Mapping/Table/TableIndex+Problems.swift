extension TableIndex {
    /// What is wrong with an index of a type that has some properties.
    func problems(
        with properties: [PropertyMapping], of type: String
    ) -> [(sentence: String, properties: [String])] {
        var problems: [(sentence: String, properties: [String])] = []
        let known = Set(
            properties.filter { property in
                switch property.kind {
                case .column, .reference: true
                case .array, .objects, .inverse: false
                }
            }.map(\.name))
        if terms.isEmpty { problems.append(("An index of \(type) names no property.", [])) }
        for name in self.properties where !known.contains(name) {
            problems.append(("An index of \(type) names \"\(name)\", which is not a property with a column.", [name]))
        }
        if Set(self.properties).count != self.properties.count {
            problems.append(("An index of \(type) names a property twice.", self.properties))
        }
        for term in terms {
            guard case .json(let name, let path, let scalar) = term.source else { continue }
            let property = properties.first { $0.name == name }
            guard let property, case .column(.json, _) = property.shape, !property.storage.isArray else {
                problems.append(("An index of \(type) looks into \"\(name)\", which is not kept as JSON.", [name]))
                continue
            }
            // The path's own error knows nothing of the index, which this sentence names.
            if scalar == nil || (try? JSONPath(path)) == nil {
                problems.append(
                    (
                        "An index of \(type) looks into \"\(name)\" by a path that can't be read, or for a type that JSON does not have.",
                        [name]
                    ))
            }
        }
        return problems
    }
}
