import Foundation

extension QueryWriter {
    /// Returns the type of an aggregate.
    func type(of aggregate: QueryAggregate) throws -> ValueType {
        switch aggregate.kind {
        case .joined: return ValueType(type: .text, isNullable: true)
        case .sql(_, let type): return ValueType(type: type, isNullable: true)
        case .percentile(_, let isDiscrete):
            return try percentileType(of: aggregate.argument, isDiscrete: isDiscrete)
        case .function(let function): return try aggregateType(function, aggregate.argument)
        }
    }

    private func aggregateType(_ function: AggregateFunction, _ argument: QueryNode?) throws -> ValueType {
        if function == .count || function == .countDistinct { return ValueType(type: .int64) }
        guard let argument else { throw DatabaseError(.syntax, "A query computes an aggregate of nothing.") }
        let own = try type(of: argument)
        guard let type = own.type else {
            throw DatabaseError(.invalidValue, "A query computes an aggregate of a constant.")
        }
        switch function {
        case .count, .countDistinct: return ValueType(type: .int64)
        case .sum, .average, .standardDeviation:
            guard let kind = NumberKind(type) else { throw unsuitable(function, own) }
            if own.storage != .native, own.storage.scale == nil {
                throw DatabaseError(
                    .unsupported,
                    "A query computes with \"\(own.property?.name ?? "")\", which is stored in a way of its own. Compute with it in Swift.",
                    table: own.property?.table, properties: own.property.map { [$0.name] } ?? [])
            }
            if function == .standardDeviation { return ValueType(type: .double, isNullable: true) }
            // The sum of scaled integers is scaled as they are.
            if function == .sum { return ValueType(type: kind.type, storage: own.storage, isNullable: true) }
            return ValueType(
                type: kind == .decimal || own.storage.scale != nil ? .decimal : .double, isNullable: true)
        case .minimum, .maximum:
            if !type.hasExtremes { throw unsuitable(function, own) }
            return ValueType(
                type: type, storage: own.storage, isNullable: true, textForm: own.isOfColumnType ? .ofColumnType : nil)
        }
    }

    /// Writes an aggregate.
    ///
    /// - Parameter window: Writes what the rows of a window are, with a leading space; nil for none.
    func aggregate(
        _ aggregate: QueryAggregate, of elements: QueryObject? = nil, over window: (() throws -> String)? = nil
    ) throws -> String {
        let written = try extreme(aggregate, of: elements, over: window)
        return try type(of: aggregate).isOfColumnType ? dialect.text(ofColumnType: written) ?? written : written
    }

    /// Writes an aggregate; the least or the greatest value of a type that the engine alone knows as it is.
    ///
    /// - Parameter elements: The elements of an array that it is of; nil for the query's rows.
    func extreme(
        _ aggregate: QueryAggregate, of elements: QueryObject? = nil, over window: (() throws -> String)? = nil
    ) throws -> String {
        _ = try type(of: aggregate)
        if let argument = aggregate.argument { try requireOwn(argument, of: elements) }
        // Over a window of groups, it is computed of what each of them has.
        let isOfGroups = window != nil && groups != nil
        if aggregate.condition?.hasAggregate == true || !isOfGroups && aggregate.argument?.hasAggregate == true {
            throw QueryWriter.aggregateOfAggregate
        }
        let outer = allowsWindows
        allowsWindows = false
        defer { allowsWindows = outer }
        // Written from left to right: what is behind the call comes after what is in it.
        func clauses() throws -> String {
            let filter = try aggregate.condition.map { " FILTER (WHERE \(try condition($0)))" } ?? ""
            return try filter + (window?() ?? "")
        }
        switch aggregate.kind {
        case .sql(let fragment, _):
            guard window == nil else { throw hasNoWindow("SQL of your own") }
            return try written(fragment)
        case .joined(let separator, let orders):
            guard window == nil else { throw hasNoWindow("joined text") }
            return try joined(aggregate.argument ?? .null, separator, orders, clauses)
        case .percentile(let fraction, let isDiscrete):
            guard window == nil else { throw hasNoWindow("a percentile") }
            return try percentile(fraction, isDiscrete: isDiscrete, of: aggregate.argument, clauses)
        case .function(let function):
            if function == .countDistinct, window != nil { throw hasNoWindow("a count of different values") }
            return try self.aggregate(function, aggregate.argument, clauses)
        }
    }

    private func aggregate(
        _ function: AggregateFunction, _ argument: QueryNode?, _ clauses: () throws -> String
    ) throws -> String {
        guard let argument else { return try "count(*)\(clauses())" }
        if case .path(let path) = argument, case .object = try locate(path) {
            let key = try object(at: path.names, in: path.scope).key(self)[0]
            return try (function == .countDistinct ? "count(DISTINCT \(key))" : "count(\(key))") + clauses()
        }
        let own = try type(of: argument)
        guard let type = own.type else { throw unsuitable(function, own) }
        let sql = try compared(argument, own, isTyped: true)
        switch function {
        case .count: return try "count(\(sql))\(clauses())"
        case .countDistinct: return try "count(DISTINCT \(exact(sql, type, own)))\(clauses())"
        case .minimum: return try "min(\(ordered(sql, type, own)))\(clauses())"
        case .maximum: return try "max(\(ordered(sql, type, own)))\(clauses())"
        case .sum: return try dialect.sum(sql, type, clauses())
        case .average:
            guard let scale = own.storage.scale else { return try dialect.average(sql, type, clauses()) }
            let value = try scaledBack(sql, scale)
            return try dialect.average(value, .decimal, clauses())
        case .standardDeviation:
            let value = try unscaled(sql, own)
            guard let written = try dialect.standardDeviation(value, clauses()) else {
                throw DatabaseError(.unsupported, "The engine computes no standard deviations. Compute it in Swift.")
            }
            return written
        }
    }

    /// Writes a number as itself, also where a column holds it as an integer.
    func unscaled(_ sql: String, _ type: ValueType) throws -> String {
        try type.storage.scale.map { try scaledBack(sql, $0) } ?? sql
    }

    /// Writes a number that a column holds as an integer.
    private func scaledBack(_ sql: String, _ scale: Int) throws -> String {
        var encoder = CellEncoder(width: 1)
        try Decimal(sign: .plus, exponent: -scale, significand: 1)._encode(into: &encoder, .native)
        let unit = dialect.typed(bind(encoder.buffer), .decimal)
        return dialect.arithmetic(.multiply, sql, unit, .decimal)
    }

    /// Writes texts one after another: in the given order, and where that leaves some the same, in that of the texts.
    private func joined(
        _ argument: QueryNode, _ separator: QueryNode, _ orders: [Ordering], _ clauses: () throws -> String
    ) throws -> String {
        try requireText(argument)
        let text = ValueType(type: .text)
        let sql = try operand(argument, text, isTyped: true)
        let between = try operand(separator, text, isTyped: true)
        var order = try orders.flatMap { try orderedValues($0) }
        let own = try operand(argument, text, isTyped: true)
        order.append(OrderedValue(dialect.ordered(own, .text), .text, isDescending: false, nullsFirst: nil))
        guard let written = try dialect.joined(sql, between, order: order, clauses()) else {
            throw DatabaseError(.unsupported, "The engine joins no texts in an order. Join them in Swift.")
        }
        return written
    }

    /// The error of a query that aggregates what is one value of all rows.
    static var aggregateOfAggregate: DatabaseError {
        DatabaseError(.invalidValue, "A query computes with an aggregate in each row, and it is one value of all rows.")
    }

    private func hasNoWindow(_ what: String) -> DatabaseError {
        DatabaseError(.unsupported, "A query asks for \(what) over a window, which engines don't compute.")
    }

    /// Refuses an aggregate in a query inside of another one that is of the other's values alone: engines take it for
    /// one of that query.
    private func requireOwn(_ argument: QueryNode, of elements: QueryObject?) throws {
        guard isInner else { return }
        let objects = argument.paths.compactMap { path -> QueryObject? in
            if case .object(let object) = try? content(of: path.scope) { object } else { nil }
        }
        let own = elements.map { [$0] } ?? [root, joined].compactMap(\.self)
        guard !objects.isEmpty, !objects.contains(where: { object in own.contains { $0 === object } }) else { return }
        throw DatabaseError(
            .unsupported,
            "A query inside of a query computes an aggregate of values that are not its own. Compute it of its own.",
            table: description.table)
    }

    private func unsuitable(_ function: AggregateFunction, _ type: ValueType) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "The \(function) of \"\(type.property?.name ?? "a value")\" can't be computed: its type has none.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
    }

    /// Writes what rows are grouped by.
    func groupingTerms(_ node: QueryNode) throws -> [String] {
        if case .path(let path) = node, case .object(let description, _) = try locate(path) {
            let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
            return try zip(object(at: path.names, in: path.scope).key(self), types).map { dialect.exact($0, $1) }
        }
        let type = try type(of: node)
        guard let columnType = type.type, columnType != .json else {
            throw DatabaseError(.invalidValue, "A query groups by a value that can't be compared.")
        }
        return [exact(try compared(node, type, isTyped: true), columnType, type)]
    }
}
