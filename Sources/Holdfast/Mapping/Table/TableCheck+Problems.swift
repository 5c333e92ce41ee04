extension TableCheck {
    /// What is wrong with the check of a type that has some properties.
    func problems(with properties: [PropertyMapping], of type: String) -> [(sentence: String, properties: [String])] {
        var problems: [(sentence: String, properties: [String])] = []
        if !CheckDefinition.isName(name) {
            problems.append(
                (
                    "A check of \(type) is called \"\(name)\". Name it by letters, digits and underscores, \(CheckDefinition.maximumBytes) bytes at most.",
                    []
                ))
        }
        switch requirement {
        case .sql(let text):
            if text.allSatisfy(\.isWhitespace) {
                problems.append(("The check \"\(name)\" of \(type) has no condition.", []))
            }
        case .exactlyOne(let names):
            if Set(names).count < 2 || Set(names).count < names.count {
                problems.append(
                    ("The check \"\(name)\" of \(type) needs two properties at least, each of them once.", names))
            }
            for name in Set(names).sorted() {
                let property = properties.first { $0.name == name }
                let isColumn =
                    switch property?.kind {
                    case .column, .reference: true
                    case .array, .objects, .inverse, nil: false
                    }
                if !isColumn || property?.isNullable != true {
                    problems.append(
                        (
                            "The check \"\(self.name)\" of \(type) names \"\(name)\", which is not an optional property with a column.",
                            [name]
                        ))
                }
            }
        }
        return problems
    }
}

extension TableDescription {
    /// The properties of which an object has exactly one: a row is never without, not even until others are inserted.
    var alternatives: Set<Int> {
        var found = Set<Int>()
        for check in checks {
            if case .exactlyOne(let names) = check.requirement { found.formUnion(names.compactMap(index(ofProperty:))) }
        }
        return found
    }
}
