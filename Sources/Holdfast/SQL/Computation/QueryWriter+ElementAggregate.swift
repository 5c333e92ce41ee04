extension QueryWriter {
    /// Returns the type of a function of an array's elements.
    func type(of aggregate: ElementAggregate) throws -> ValueType {
        try withElement(aggregate.scope, elementContent(at: aggregate.path)) {
            var type = try type(of: aggregate.ofElements)
            // What the engine alone knows is written as text.
            type.textForm = nil
            if aggregate.function == .sum { type.isNullable = false }
            return type
        }
    }

    /// Writes a function of an array's elements: a query inside of the query.
    ///
    /// `(SELECT COALESCE(sum(t1."minutes"), 0) FROM "entry" AS t1 WHERE t1."ticket_id" = t0."id")`
    func elementAggregate(_ aggregate: ElementAggregate) throws -> String {
        if aggregate.condition?.hasAggregate == true { throw QueryWriter.aggregateOfAggregate }
        let (owner, property) = try array(at: aggregate.path)
        let elements = try elements(of: property, in: owner.description)
        let key = owner.held(by: elements.reference, self)
        return try withElement(aggregate.scope, elements.content) {
            let object: QueryObject? = if case .object(let object) = elements.content { object } else { nil }
            var value = try self.aggregate(aggregate.ofElements, of: object)
            if aggregate.function == .sum {
                let type = try type(of: aggregate.ofElements)
                let none = try operand(.value(.literal(.integer("0"))), type, isTyped: true)
                value = "COALESCE(\(value), \(none))"
            }
            let condition = try aggregate.condition.map { ["(\(try self.condition($0)))"] } ?? []
            let conditions = matches(elements.owner, key) + condition
            return "(SELECT \(value) FROM \(elements.source.sql) WHERE \(conditions.joined(separator: " AND ")))"
        }
    }
}

extension ElementAggregate {
    fileprivate var ofElements: QueryAggregate {
        QueryAggregate(kind: .function(function), argument: value)
    }
}
