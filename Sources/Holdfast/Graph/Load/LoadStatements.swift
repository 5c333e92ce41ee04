/// The statements that load the rows of a table, and what its relations lead to.
struct LoadStatements {
    enum Variant {
        case elements(property: Int, ofAll: Bool, withPositions: Bool)
        case related(property: Int, ofAll: Bool)
        case links(property: Int, ofAll: Bool)
        case linked(property: Int)
        case holders(property: Int)
        case chain(property: Int)
    }

    let selectOne: Statement
    let selectMany: Statement
    private let render: (Variant) throws -> Statement

    init<Model: TableObject>(_ plan: MappingPlan<Model>) {
        selectOne = plan.selectOne
        selectMany = plan.selectMany
        render = { variant in
            switch variant {
            case .elements(let property, let ofAll, let withPositions):
                try plan.statement(.elements(property: property, ofAll: ofAll, withPositions: withPositions))
            case .related(let property, let ofAll): try plan.statement(.related(property: property, ofAll: ofAll))
            case .links(let property, let ofAll): try plan.statement(.links(property: property, ofAll: ofAll))
            case .linked(let property): try plan.statement(.linked(property: property))
            case .holders(let property): try plan.statement(.holders(property: property))
            case .chain(let property): try plan.statement(.chain(property: property))
            }
        }
    }

    func rendered(_ variant: Variant) throws -> Statement { try render(variant) }
}
