import Synchronization

/// A part of a query: property names and values, checked against a mapping only when the query runs.
///
/// Typed closures, condition text and conditions built at run time all become this one tree (decision 0019).
indirect enum QueryNode: Sendable {
    case path(QueryPath)
    case value(QueryValue)
    /// A primary key, to be compared with a relation or with the object itself.
    case key(Key)
    case null
    case constant(Bool)
    case comparison(ComparisonOperator, QueryNode, QueryNode)
    case and([QueryNode])
    case or([QueryNode])
    case not(QueryNode)
    /// A value is one of some, each in the order given; nil among them counts.
    case isIn(QueryNode, [QueryNode])
    /// Membership in a list of values of one type, of any length.
    case isInList(QueryNode, QueryValueList)
    case between(QueryNode, QueryNode, QueryNode)
    case like(QueryNode, pattern: QueryNode, isCaseSensitive: Bool)
    case match(TextMatch, QueryNode, QueryNode, isCaseSensitive: Bool)
    case arithmetic(ArithmeticOperator, QueryNode, QueryNode)
    case function(ScalarFunction, [QueryNode])
    case date(DateFunction, [QueryNode])
    case choice(QueryChoice)
    case concatenation(QueryNode, QueryNode)
    case coalesce(QueryNode, QueryNode)
    /// Whether an array has an element that meets a condition, or any.
    case hasElement(QueryPath, scope: QueryScope, QueryNode?)
    /// The number of elements of an array that meet a condition, or of all.
    case elementCount(QueryPath, scope: QueryScope, QueryNode?)
    /// Whether an object holds the one of a scope in a relation.
    case isHeld(QueryHolder)
    case aggregate(QueryAggregate)
    /// A function of the elements of an array.
    case elementAggregate(ElementAggregate)
    case window(QueryWindow)
    /// The value that a query gives first; nil where it gives none.
    case subquery(QuerySubquery)
    /// Whether a query finds a row.
    case exists(QuerySubquery)
    /// Whether a value, or an object, is one of those that a query gives.
    case isInQuery(QueryNode, QuerySubquery)
    /// Whether an object is above or below another one in a tree.
    case isInTree(QueryNode, QueryTree)
    /// The number of objects above an object in a tree, where that begins at the object itself.
    case treeLevel(QueryNode, QueryTree)
    /// Whether the searched properties of an object have what is looked for.
    case matches(QueryNode, SearchQuery)
    /// How well they have it.
    case searchRank(QueryNode, SearchQuery)
    /// A value of a type at a path into a document.
    case json(QueryNode, JSONPath, ColumnType)
    /// Whether a document has anything at a path, or a value of a kind.
    case hasJSON(QueryNode, JSONPath, JSONKind?)
    /// Whether a document has an array at a path, with an element that is equal to a value.
    case hasJSONElement(QueryNode, JSONPath, QueryNode)
    /// A document with changes, as a bulk update sets it.
    case edited(QueryNode, [JSONEdit])
    /// SQL of the caller's: a condition, or a value of a type.
    case sql(QueryFragment, ColumnType?)
    /// Condition text that is yet to be parsed.
    case text(ConditionText)
    /// An error that was made while this part was built.
    case failure(DatabaseError)

    /// How many levels a condition or an expression may have: releasing one recurses over them.
    private static let greatestDepth = 1_000

    /// A node and the number of its levels; a failure in place of one that has too many.
    ///
    /// - Parameter inner: The levels of the deepest node in it; nil where it is not made of others.
    static func bounded(_ node: QueryNode, around inner: Int?) -> (QueryNode, levels: Int) {
        guard let inner else { return (node, 0) }
        guard inner < greatestDepth else { return (.failure(.nestedTooDeeply), 0) }
        return (node, inner + 1)
    }
}

extension DatabaseError {
    /// A condition or an expression has more levels than can be written.
    static var nestedTooDeeply: DatabaseError {
        DatabaseError(.invalidValue, "A condition is nested too deeply. Split it, or join its parts by arrays.")
    }
}

/// The start of paths: the object that the query is about, or an element of an array that a condition is about.
struct QueryScope: Hashable, Sendable {
    private static let last = Atomic<Int>(0)

    private let number: Int
    /// Whether names without a scope of their own begin at it.
    let bindsNames: Bool
    /// Whether it is the object that a query is about, not an element.
    let isQueried: Bool

    /// The object that the query is about: of several in each other, the innermost that it is part of.
    static let root = QueryScope(number: 0, bindsNames: true, isQueried: true)
    /// The start of names in condition text: the queried object, or the element whose condition it is.
    static let innermost = QueryScope(number: -1, bindsNames: true, isQueried: true)
    /// The object that the query is about, of columns that were made outside of closures: not in queries inside of
    /// queries, where they don't say which is meant.
    static let given = QueryScope(number: -2, bindsNames: true, isQueried: true)

    private init(number: Int, bindsNames: Bool, isQueried: Bool) {
        self.number = number
        self.bindsNames = bindsNames
        self.isQueried = isQueried
    }

    /// Makes one that is like no other.
    static func element(bindsNames: Bool = true) -> QueryScope {
        QueryScope(number: last.add(1, ordering: .relaxed).newValue, bindsNames: bindsNames, isQueried: false)
    }

    /// Makes one of the object that a query is about, for one closure: a query inside of that can name it.
    static func queried() -> QueryScope {
        QueryScope(number: last.add(1, ordering: .relaxed).newValue, bindsNames: true, isQueried: true)
    }
}

/// The names of properties, from one object to the next.
struct QueryPath: Sendable {
    var scope: QueryScope
    /// Empty for what the scope stands for itself: an object, or an element of an array of values.
    var names: [String]
    /// The steps from the first position on, which can only lead into a document.
    var tail: [JSONPath.Step]
    /// Where it is in condition text, in characters from the beginning.
    var position: Int?
    /// Whether it leads to an array, and each element of that is meant: that by which the query groups.
    private(set) var isElement = false

    /// The elements of the array that it leads to, by which a query groups.
    var element: QueryPath {
        var path = self
        path.isElement = true
        return path
    }

    /// The array whose elements are meant.
    var array: QueryPath {
        var path = self
        path.isElement = false
        return path
    }

    init(scope: QueryScope, _ names: [String] = [], tail: [JSONPath.Step] = [], position: Int? = nil) {
        self.scope = scope
        self.names = names
        self.tail = tail
        self.position = position
    }

    /// A path in names: where it begins depends on what it is part of.
    init(named text: String) {
        if text.contains("["), let path = try? JSONPath(text) {
            self.init(scope: .innermost)
            for step in path.steps { append(step) }
            return
        }
        self.init(scope: .innermost, text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    func appending(_ name: String) -> QueryPath {
        var path = self
        path.append(.member(name))
        return path
    }

    mutating func append(_ step: JSONPath.Step) {
        if tail.isEmpty, case .member(let name) = step { names.append(name) } else { tail.append(step) }
    }

    var text: String {
        tail.reduce(names.joined(separator: ".")) { text, step in
            switch step {
            case .member(let name): "\(text).\(name)"
            case .element(let position): "\(text)[\(position)]"
            }
        }
    }
}

/// How two values are compared.
enum ComparisonOperator: String, Hashable, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var isEquality: Bool { self == .equal || self == .notEqual }
}

/// A value in a query, which becomes a bound parameter.
enum QueryValue: Sendable {
    /// Encoded as the property is that it stands beside: one cell, or what is wrong with it.
    case encoded(ParameterBuffer, ColumnType)
    case invalid(CellMismatch)
    /// To be encoded as the property that it stands beside; known only once that is.
    case open(any Storable & Sendable)
    /// A number or text as it was written in condition text.
    case literal(QueryLiteral)

    /// A value to be encoded later; nil is none.
    static func opening(_ value: some Storable & Sendable) -> QueryNode {
        var encoder = CellEncoder(width: 1)
        // What can't be encoded natively says so when it is encoded for its property.
        try? value._encode(into: &encoder, .native)
        return encoder.buffer.cells.first?.isNull == true ? .null : .value(.open(value))
    }

    /// Encodes `value` as a property with `storage` does.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    static func encoding(_ value: some Storable, _ storage: ValueStorage) -> QueryNode {
        do {
            var encoder = CellEncoder(width: 1)
            try value._encode(into: &encoder, storage)
            guard let cell = encoder.buffer.cells.first, !cell.isNull else { return .null }
            guard let type = type(of: value)._columnType(storage) else {
                return .value(.invalid(.invalid("one that can be stored so")))
            }
            return .value(.encoded(encoder.buffer, type))
        } catch {
            return .value(.invalid((error as? CellMismatch) ?? .invalid("one that its conversion takes")))
        }
    }
}
