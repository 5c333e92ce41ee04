extension SearchIndex {
    /// What is wrong with the searched properties of a type.
    static func problems(
        of search: [String], with properties: [PropertyMapping], of type: String
    ) -> [(sentence: String, properties: [String])] {
        var problems: [(sentence: String, properties: [String])] = []
        for name in search {
            let property = properties.first { $0.name == name }
            guard let property else {
                problems.append(("The search of \(type) names \"\(name)\", which is no property of it.", [name]))
                continue
            }
            guard case .column(.text, _) = property.shape, property.textForm == nil, !property.storage.isArray,
                property.storage == .native
            else {
                problems.append(
                    ("The search of \(type) names \"\(name)\", which is no text: name properties that are.", [name]))
                continue
            }
        }
        if Set(search).count != search.count {
            problems.append(("The search of \(type) names a property twice.", search))
        }
        return problems
    }

    /// The index of a type; nil if it declares no search.
    init?(_ description: TableDescription) {
        if description.search.isEmpty { return nil }
        let layout = description.columns
        let columns = description.search.compactMap { name in
            description.index(ofProperty: name).flatMap { layout.columnNames(of: $0).first }
        }
        let key = description.keyColumns.compactMap { name in
            layout.all.first { $0.name == name }.map { KeyColumn(name: name, type: $0.type) }
        }
        self.init(of: description.tableName.name, columns, key: key)
    }
}
