/// Writes the parts of a query as SQL of a dialect, and checks them against the mappings (decision 0019).
///
/// It writes strictly from left to right, since parameters are numbered in order and some engines only count them.
/// Tables of relations in conditions and orders are joined when they occur; a join has no parameters.
final class QueryWriter {
    let dialect: any Dialect
    /// Whether values are written as literals, for a condition that is a part of other statements, whose parameters it
    /// does not know.
    let inlinesValues: Bool
    /// The type that the query is about; inside of a query inside of it, that one's.
    private(set) var description: TableDescription
    /// The paths into a property kept as JSON that may be asked for; nil for any.
    private(set) var declared: DeclaredPaths?
    private(set) var values = ParameterBuffer(width: 0)
    /// The position of the parameter that is the time, once one is.
    private var timePosition: Int?
    /// The positions of the parameters that are values of scopes, once they are.
    private var scopePositions: [String: Int] = [:]
    private var aliasCount = 0
    private var scopes: [QueryScope: ScopeContent] = [:]
    private var depth = 0
    /// The object that the query is about.
    private(set) var root: QueryObject
    /// What its closures name: the object, or what stands for it.
    private var rootContent: ScopeContent
    /// The scopes of its closures.
    private(set) var ownScopes: QueryScopes
    /// The object of the other table of pairs, and the scopes of closures in which it is named.
    private(set) var joined: QueryObject?
    private(set) var joinedScopes = QueryScopes()
    /// Whether what is written is a query inside of another one.
    private(set) var isInner = false

    /// Where the parameters of a query are.
    struct QueryMark {
        let values: ParameterBuffer
        fileprivate let timePosition: Int?
        fileprivate let scopePositions: [String: Int]
    }

    /// The start of the paths of a scope.
    enum ScopeContent {
        case object(QueryObject)
        case value(sql: String, ValueType)
    }

    /// How deep conditions may be nested, so that none can exhaust the stack.
    private static let greatestDepth = 500

    init(
        _ description: TableDescription, dialect: any Dialect, declared: DeclaredPaths?, scopes ownScopes: QueryScopes,
        join: QueryJoin? = nil, seen: SeenRows = SeenRows(), inlinesValues: Bool = false
    ) {
        self.inlinesValues = inlinesValues
        self.dialect = dialect
        self.description = description
        self.declared = declared
        self.ownScopes = ownScopes
        aliasCount = 1
        let source = dialect.takingTime(at: 1) { description.source(as: "t0", $0, seen) }
        for (position, name) in source.scopeNames.enumerated() { scopePositions[name] = position + 1 }
        for value in source.scopeValues { value.append(to: &values) }
        root = QueryObject(description, source: QuerySource(source.sql), alias: "t0")
        rootContent = .object(root)
        scopes[.innermost] = rootContent
        if source.takesTime { bindTime() }
        begin(join, isWritten: true)
    }

    /// Begins with the other table of pairs.
    private func begin(_ join: QueryJoin?, isWritten: Bool) {
        (joined, joinedScopes) = (nil, join?.scopes ?? QueryScopes())
        guard let join else { return }
        let alias = isWritten ? makeAlias() : ""
        let source = QuerySource(isWritten ? self.source(of: join.description, as: alias) : "")
        let object = QueryObject(join.description, source: source, alias: alias, isNullable: join.isOuter)
        for scope in join.scopes.all { scopes[scope] = .object(object) }
        joined = object
    }

    /// The parameters of a query that is written.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` where there are too many.
    var parameters: ParameterBuffer {
        get throws {
            try checkValueCount()
            return boundValues
        }
    }

    /// The parameters so far, as the one row that they are.
    var boundValues: ParameterBuffer {
        var row = ParameterBuffer(width: values.cells.count)
        row.cells = values.cells
        row.bytes = values.bytes
        row.lists = values.lists
        return row
    }

    /// The table of a type as a source of rows, under a name.
    func source(
        of description: TableDescription, as name: String, _ seen: SeenRows = SeenRows()
    ) -> String {
        namedTables.insert(description.table)
        return timed { description.source(as: name, $0, seen) }
    }

    func makeAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    // MARK: Parameters

    /// Whether what is written is compared for equality alone.
    var looksForEqual = false

    /// The tables that were named besides that of the root.
    var namedTables: Set<String> = []

    /// Whether a value that was bound before is not bound again, where placeholders have numbers.
    var reusesParameters = false

    /// Whether what is written may compute with the rows around each row.
    var allowsWindows = false

    /// What the rows are grouped by, where values of groups are written; nil where they are of objects.
    var groups: [QueryNode]?

    /// The array by whose elements the query groups.
    var groupedArray: QueryPath?

    /// Whether what is written may name an element of it.
    var allowsElements = true

    /// The column of its elements, once their table is joined.
    var elementColumn: String?

    /// Where the parameters are, to come back to.
    var mark: QueryMark {
        QueryMark(values: values, timePosition: timePosition, scopePositions: scopePositions)
    }

    /// Forgets what was bound since.
    func reset(to mark: QueryMark) {
        (values, timePosition, scopePositions) = (mark.values, mark.timePosition, mark.scopePositions)
    }

    /// Writes SQL that may name the time; where a clock of the program's tells that, it is bound by the first that
    /// does.
    func timed(_ write: (any Dialect) -> String) -> String {
        // Where no parameters are bound, the dialect knows already where the time is.
        if inlinesValues { return write(dialect) }
        var dialect = dialect
        if !scopePositions.isEmpty { dialect.scopes?.positions = scopePositions }
        let text = dialect.takingTime(at: nextPosition, knowing: timePosition, write)
        for (name, value) in zip(text.scopeNames, text.scopeValues) {
            scopePositions[name] = nextPosition
            value.append(to: &values)
        }
        if text.takesTime, timePosition == nil { bindTime() }
        return text.sql
    }

    private func bindTime() {
        timePosition = nextPosition
        values.append(.clockTime)
    }

    /// Binds the one cell of a buffer.
    func bind(_ buffer: ParameterBuffer) -> String {
        if inlinesValues {
            return buffer.withRow(0) { cells in cells.first.map { dialect.literal($0, type: .text) } ?? "NULL" }
        }
        if reusesParameters, dialect.numbersPlaceholders, let known = position(of: buffer) {
            return dialect.placeholder(known)
        }
        buffer.withRow(0) { cells in
            if let cell = cells.first { values.append(copying: cell) }
        }
        return dialect.placeholder(values.cells.count)
    }

    func bind(text: String) -> String {
        var text = text
        var buffer = ParameterBuffer(width: 1)
        text.withUTF8 { buffer.append(.text, UnsafeRawBufferPointer($0)) }
        return bind(buffer)
    }

    /// Binds a list, unless it was bound before and values are bound once.
    ///
    /// - Returns: Its position.
    @discardableResult
    func bind(list: ParameterBuffer) -> Int {
        if reusesParameters, dialect.numbersPlaceholders, let known = position(ofList: list) { return known }
        values.append(list: list)
        return values.cells.count
    }

    /// The position of the parameter that is bound next, from 1.
    var nextPosition: Int { values.cells.count + 1 }

    // MARK: Scopes

    /// Lets an object stand for the one that the query is about.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withRoot<Result>(_ object: QueryObject, _ body: () throws -> Result) throws -> Result {
        let outer = rootContent
        rootContent = .object(object)
        defer { rootContent = outer }
        return try withScope(.innermost, rootContent, body)
    }

    /// Writes a query inside of this one: what is said of its object is of another table, and the closures of this one
    /// still name theirs.
    ///
    /// - Parameter isWritten: Whether it is written, not only looked at.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func within<Result>(
        _ query: QuerySubquery, isWritten: Bool = true, _ body: (QuerySQL) throws -> Result
    ) throws -> Result {
        let specification = query.specification
        try query.description.validate()
        try specification.join?.description.validate()
        try query.description.checkScopes(dialect)
        try specification.join?.description.checkScopes(dialect)
        try query.requireView(dialect.scopes)
        let outer = (description, declared, root, rootContent, ownScopes, scopes, isInner)
        let ways = (looksForEqual, reusesParameters, joined, joinedScopes, allowsWindows, groups)
        let elements = (groupedArray, allowsElements, elementColumn)
        defer {
            (description, declared, root, rootContent, ownScopes, scopes, isInner) = outer
            (looksForEqual, reusesParameters, joined, joinedScopes, allowsWindows, groups) = ways
            (groupedArray, allowsElements, elementColumn) = elements
        }
        for scope in ownScopes.all { scopes[scope] = rootContent }
        // Its own closures', even where it is the query around it, too.
        for scope in specification.scopes.all { scopes[scope] = nil }
        (description, declared) = (query.description, specification.declared)
        (ownScopes, isInner) = (specification.scopes, true)
        (looksForEqual, reusesParameters, allowsWindows, groups) = (false, false, false, nil)
        group(by: specification.groups)
        let alias = isWritten ? makeAlias() : ""
        let source = QuerySource(isWritten ? self.source(of: query.description, as: alias, specification.seen) : "")
        root = QueryObject(query.description, source: source, alias: alias)
        rootContent = .object(root)
        scopes[.innermost] = rootContent
        begin(specification.join, isWritten: isWritten)
        return try nested {
            try body(QuerySQL(specification: specification, description: query.description, dialect: dialect))
        }
    }

    /// Lets an element stand for itself; and in a closure of its own also for what names begin at.
    func withElement<Result>(
        _ scope: QueryScope, _ content: ScopeContent, _ body: () throws -> Result
    ) throws -> Result {
        try withScope(scope, content) { scope.bindsNames ? try withScope(.innermost, content, body) : try body() }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func withScope<Result>(
        _ scope: QueryScope, _ content: ScopeContent, _ body: () throws -> Result
    ) throws -> Result {
        let (outer, outerWindows) = (scopes[scope], allowsWindows)
        scopes[scope] = content
        allowsWindows = false
        defer { (scopes[scope], allowsWindows) = (outer, outerWindows) }
        return try body()
    }

    func content(of scope: QueryScope) throws -> ScopeContent {
        if scope == .root || ownScopes.contains(scope) { return rootContent }
        if scope == .given {
            guard isInner else { return rootContent }
            throw DatabaseError(
                .invalidValue,
                "A query inside of a query uses columns that were made by Columns(), which don't say whose they are. Use those that its closures get.",
                table: description.table)
        }
        guard let content = scopes[scope] else {
            throw DatabaseError(
                .invalidValue,
                "A condition uses an element outside of the closure that it was given to. Use it only there.")
        }
        return content
    }

    func nested<Result>(_ body: () throws -> Result) throws -> Result {
        guard depth < Self.greatestDepth else { throw DatabaseError.nestedTooDeeply }
        depth += 1
        defer { depth -= 1 }
        return try body()
    }

    // MARK: Conditions

    /// Writes a condition.
    ///
    /// Where the condition is false, the SQL may be NULL instead; ``negation(_:)`` takes care of that.
    func condition(_ node: QueryNode) throws -> String {
        try nested {
            switch node {
            case .failure(let error): throw error
            case .text(let text): return try condition(ConditionParser.parse(text))
            case .sql(let sql, nil): return try written(sql)
            case .hasJSON(let document, let path, let kind): return try isPresent(document, path, kind)
            case .hasJSONElement(let document, let path, let value): return try hasElement(document, path, value)
            case .sql(_, .boolean), .json(_, _, .boolean):
                return try comparison(.equal, node, .value(.literal(.boolean(true))))
            case .constant(let value): return value ? "TRUE" : "FALSE"
            case .and(let nodes): return try joined(parts(of: nodes, isAnd: true), by: " AND ", none: "TRUE")
            case .or(let nodes): return try joined(parts(of: nodes, isAnd: false), by: " OR ", none: "FALSE")
            case .not(let node): return try negation(node)
            case .comparison(let comparison, let left, let right): return try self.comparison(comparison, left, right)
            case .isIn(let node, let values): return try isIn(node, values)
            case .isInList(let node, let list): return try isIn(node, list)
            case .between(let node, let low, let high): return try between(node, low, high)
            case .like(let node, let pattern, let isCaseSensitive):
                return try like(node, pattern, isCaseSensitive: isCaseSensitive)
            case .match(let match, let node, let part, let isCaseSensitive):
                return try self.match(match, node, part, isCaseSensitive: isCaseSensitive)
            case .hasElement(let path, let scope, let node):
                return try hasElement(path, scope, node, isNegated: false)
            case .isHeld(let holder): return try isHeld(holder, isNegated: false)
            case .exists(let query): return try exists(query)
            case .isInQuery(let node, let query): return try isIn(node, query)
            case .isInTree(let node, let tree): return try isIn(node, tree)
            case .matches(let node, let query): return try matches(node, query)
            case .path(let path):
                // A property that is true or false.
                return try comparison(.equal, .path(path), .value(.literal(.boolean(true))))
            case .choice, .window, .subquery:
                return try comparison(.equal, node, .value(.literal(.boolean(true))))
            case .value, .key, .null, .arithmetic, .function, .date, .concatenation, .coalesce, .elementCount,
                .aggregate, .elementAggregate, .searchRank, .treeLevel, .sql, .json, .edited:
                throw DatabaseError(
                    .syntax, "A query has a value where it needs a condition. Compare it with something.")
            }
        }
    }

    /// Writes a comparison of two values; what else can be compared is in a file of its own.
    func comparison(_ comparison: ComparisonOperator, _ left: QueryNode, _ right: QueryNode) throws -> String {
        if case .null = right { return try nullComparison(comparison, left) }
        if case .null = left { return try nullComparison(comparison, right) }
        if try !(isPlain(left) && isPlain(right)), let written = try comparisonOfOthers(comparison, left, right) {
            return written
        }
        let (leftType, rightType) = (try type(of: left), try type(of: right))
        let common = try unified(leftType, rightType)
        try requireSameType(leftType, rightType)
        let isNullable = (leftType.isNullable, rightType.isNullable)
        let hasColumn = isColumn(left) || isColumn(right)
        looksForEqual = comparison.isEquality
        defer { looksForEqual = false }
        let written = try (compared(left, common, isTyped: !hasColumn), compared(right, common, isTyped: !hasColumn))
        guard let type = common.type else {
            return "\(written.0) \(comparison.rawValue) \(written.1)"
        }
        if comparison.isEquality {
            let (left, right) = (exact(written.0, type, common), written.1)
            switch (comparison, isNullable) {
            case (.equal, (true, true)): return dialect.isSame(left, right, isNegated: false)
            case (.notEqual, (true, _)), (.notEqual, (_, true)): return dialect.isSame(left, right, isNegated: true)
            default: return "\(left) \(comparison.rawValue) \(right)"
            }
        }
        return "\(ordered(written.0, type, common)) \(comparison.rawValue) \(written.1)"
    }

    /// Whether it is a value that was given, or one that a column holds: no object, no array, and not inside of an
    /// array or a document.
    private func isPlain(_ node: QueryNode) throws -> Bool {
        switch node {
        case .value: return true
        case .path(let path):
            if case .value = try locate(path) { return true }
            return false
        default: return false
        }
    }

    func isColumn(_ node: QueryNode) -> Bool {
        if case .path = node { true } else { false }
    }
}
