extension CheckDefinition {
    /// A check that a type declares.
    init(_ declared: TableCheck, of description: TableDescription) {
        let requirement: Requirement =
            switch declared.requirement {
            case .sql(let text): .sql(text)
            case .exactlyOne(let names):
                // What has no column was refused before, as a problem of the check.
                .exactlyOne(
                    names.compactMap { description.index(ofProperty: $0) }.map { description.ownColumns(of: $0) })
            }
        self.init(name: declared.name, requirement: requirement)
    }
}

extension TableDescription {
    /// The columns of a property without those of others, which hold something when it is nil.
    fileprivate func ownColumns(of property: Int) -> [String] {
        let range = columns.ranges[property]
        if range.isEmpty, case .reference(let shared)? = columns.relation(property)?.storage { return shared }
        return columns.all[range].map(\.name)
    }
}
