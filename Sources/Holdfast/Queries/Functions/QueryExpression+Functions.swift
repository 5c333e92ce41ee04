/// Functions of numbers, which the database computes, on both engines with the same results.
extension QueryExpression where Value: NumberValue {
    /// The number without its sign.
    ///
    /// ```swift
    /// .where { $0.balance.magnitude > 100 }    // abs(t0."balance") > $1 on PostgreSQL
    /// ```
    ///
    /// The query throws ``DatabaseError/Code/invalidValue`` for an integer without one, which is `Int64.min`.
    public var magnitude: QueryExpression { applying(.magnitude, []) }

    /// Returns -1, 0 or 1, as the number is less than, equal to or greater than 0; nil if it is nil.
    public func signum() -> QueryExpression<Int?> { QueryExpression<Int?>(.function(.sign, [node]), around: levels) }

    /// Returns the number rounded to fractional digits, half away from zero.
    ///
    /// ```swift
    /// .select { $0.price.rounded(to: 2) }    // round(t0."price", 2) on PostgreSQL
    /// ```
    ///
    /// A `Double` is rounded by the digits of its shortest text, so that 2.675 becomes 2.68; an integer stays. Decimals
    /// that are stored as scaled integers throw ``DatabaseError/Code/unsupported``.
    ///
    /// - Parameter digits: 0 to 30; with another number the query throws ``DatabaseError/Code/invalidValue``.
    public func rounded(to digits: Int = 0) -> QueryExpression { applying(.rounded, [.integer(digits)]) }

    /// Returns the greatest whole number that is not greater.
    public func floor() -> QueryExpression { applying(.floor, []) }

    /// Returns the least whole number that is not less.
    public func ceiling() -> QueryExpression { applying(.ceiling, []) }

    /// The number as a Double, the nearest one, to compute with other Doubles.
    ///
    /// ```swift
    /// .select { $0.paid.asDouble / $0.total.asDouble }    // ((t0."paid")::bigint)::double precision / …
    /// ```
    ///
    /// A decimal that is stored as a scaled integer is a number, too.
    public var asDouble: QueryExpression<Value.DoubleValue> {
        QueryExpression<Value.DoubleValue>(.function(.double, [node]), around: levels)
    }

    /// The number as a decimal, to compute with other decimals: of a Double, the shortest that stands for it.
    ///
    /// ```swift
    /// .select { ($0.price * $0.quantity.asDecimal).sum }    // … * (t0."quantity")::bigint::numeric
    /// ```
    ///
    /// A decimal that is stored as a scaled integer becomes one that is computed with: `$0.price.asDecimal * 2`. A
    /// Double of 10³⁸ or more throws ``DatabaseError/Code/invalidValue``.
    public var asDecimal: QueryExpression<Value.DecimalValue> {
        QueryExpression<Value.DecimalValue>(.function(.decimal, [node]), around: levels)
    }

    private func applying(_ function: ScalarFunction, _ others: [QueryNode], _ inner: Int = 0) -> QueryExpression {
        QueryExpression(.function(function, [node] + others), around: Swift.max(levels, inner))
    }
}

/// Functions of integers, of 64 bits; a query with another number throws ``DatabaseError/Code/invalidValue``.
extension QueryExpression where Value: NumberValue {
    /// Returns the bits that the integer has in common with another one.
    ///
    /// ```swift
    /// .where { $0.flags.bitAnd(4) == 4 }    // (CAST(t0."flags" AS bigint) & CAST($1 AS bigint)) = $2
    /// ```
    public func bitAnd(_ other: Value) -> QueryExpression { applying(.bitAnd, [value(other)]) }

    /// Returns the bits that the integer has in common with that of another property.
    public func bitAnd(_ other: QueryExpression) -> QueryExpression { applying(.bitAnd, [other.node], other.levels) }

    /// Returns the bits that the integer or another one has.
    ///
    /// ```swift
    /// .update { $0.flags.set($0.flags.current.bitOr(4)) }
    /// ```
    public func bitOr(_ other: Value) -> QueryExpression { applying(.bitOr, [value(other)]) }

    /// Returns the bits that the integer or that of another property has.
    public func bitOr(_ other: QueryExpression) -> QueryExpression { applying(.bitOr, [other.node], other.levels) }

    /// Returns the integer with its bits moved to the left; those beyond 64 are lost.
    ///
    /// - Parameter count: 0 to 63; with another number the query throws ``DatabaseError/Code/invalidValue``.
    public func shiftedLeft(by count: Int) -> QueryExpression { applying(.shiftedLeft, [.integer(count)]) }

    /// Returns the integer with its bits moved to the right, and its sign kept.
    ///
    /// - Parameter count: 0 to 63; with another number the query throws ``DatabaseError/Code/invalidValue``.
    public func shiftedRight(by count: Int) -> QueryExpression { applying(.shiftedRight, [.integer(count)]) }

    /// The integer as text, in decimal digits; nil if it is nil.
    ///
    /// ```swift
    /// .where { $0.number.asText.optional.hasSuffix("00") }
    /// ```
    public var asText: QueryExpression<String?> {
        QueryExpression<String?>(.function(.text, [node]), around: levels)
    }
}

/// Parts of texts, counted in Unicode scalars.
extension QueryExpression where Value: TextValue {
    /// Returns the first scalars of the text; all of it, if it is shorter.
    ///
    /// ```swift
    /// .group { $0.name.prefix(1) }    // substr(t0."name", 1, 1)
    /// ```
    ///
    /// - Parameter length: Not negative, or the query throws ``DatabaseError/Code/invalidValue``.
    public func prefix(_ length: Int) -> QueryExpression { substring(from: 0, length: length) }

    /// Returns the text without its first scalars; an empty text, if it has no more.
    ///
    /// - Parameter count: Not negative, or the query throws ``DatabaseError/Code/invalidValue``.
    public func dropFirst(_ count: Int = 1) -> QueryExpression {
        applying(.substring, [.integer(count.addingReportingOverflow(1).partialValue)])
    }

    /// Returns a part of the text; what is beyond its end is left out.
    ///
    /// ```swift
    /// .where { $0.isbn.substring(from: 4, length: 3) == "618" }    // substr(t0."isbn", 5, 3) = $1
    /// ```
    ///
    /// - Parameters:
    ///   - offset: The number of scalars before it; not negative, or the query throws
    ///     ``DatabaseError/Code/invalidValue``.
    ///   - length: Its number of scalars; not negative.
    public func substring(from offset: Int, length: Int) -> QueryExpression {
        guard offset >= 0 else { return applying(.substring, [.integer(-1), .integer(length)]) }
        return applying(.substring, [.integer(offset.addingReportingOverflow(1).partialValue), .integer(length)])
    }

    /// Returns the text with another in place of each occurrence of a part; an empty part occurs nowhere.
    ///
    /// ```swift
    /// .update { $0.phone.set($0.phone.current.replacing(" ", with: "")) }    // replace("phone", $1, $2)
    /// ```
    public func replacing(_ part: String, with other: String) -> QueryExpression {
        applying(.replaced, [QueryValue.encoding(part, .native), QueryValue.encoding(other, .native)])
    }

    /// Returns the number of scalars before the first occurrence of a part; nil where it occurs nowhere.
    ///
    /// ```swift
    /// .where { $0.email.offset(of: "@") == 1 }    // NULLIF(instr(t0."email", ?), ?) on SQLite, less 1
    /// ```
    public func offset(of part: String) -> QueryExpression<Int?> {
        let position = QueryNode.function(.position, [node, QueryValue.encoding(part, .native)])
        return QueryExpression<Int?>(
            .arithmetic(.subtract, .function(.nilIfEqual, [position, .integer(0)]), .integer(1)), around: levels)
    }

    /// The integer that the text writes with a sign, which may be missing, and up to 18 digits; nil where it writes
    /// none.
    ///
    /// ```swift
    /// .order { $0.houseNumber.asInteger.ascending }    // 9 comes before 10
    /// ```
    public var asInteger: QueryExpression<Int64?> {
        QueryExpression<Int64?>(.function(.integer, [node]), around: levels)
    }

    private func applying(_ function: ScalarFunction, _ others: [QueryNode]) -> QueryExpression {
        QueryExpression(.function(function, [node] + others), around: levels)
    }
}

/// Choices by the values alone.
extension QueryExpression where Value: Storable {
    /// Returns the greatest of several values, leaving out those that are nil; nil if all are.
    ///
    /// ```swift
    /// .order { QueryExpression.greatest($0.openedAt, $0.answeredAt).descending }
    /// // GREATEST(t0."opened_at", t0."answered_at") on PostgreSQL
    /// ```
    ///
    /// The query throws ``DatabaseError/Code/unsupported`` for values that have no order: Booleans, UUIDs, blobs.
    public static func greatest(_ first: QueryExpression, _ others: QueryExpression...) -> QueryExpression {
        extreme(.greatest, first, others)
    }

    /// Returns the greater one of a property and a value; the value, if the property is nil.
    public static func greatest(_ first: QueryExpression, _ value: Value) -> QueryExpression {
        QueryExpression(
            .function(.greatest, [first.node, first.value(value)]), storage: first.storage, around: first.levels)
    }

    /// Returns the least of several values, leaving out those that are nil; nil if all are.
    public static func least(_ first: QueryExpression, _ others: QueryExpression...) -> QueryExpression {
        extreme(.least, first, others)
    }

    /// Returns the lesser one of a property and a value; the value, if the property is nil.
    ///
    /// ```swift
    /// .update { $0.stock.set(.least($0.stock.current, 100)) }
    /// ```
    public static func least(_ first: QueryExpression, _ value: Value) -> QueryExpression {
        QueryExpression(
            .function(.least, [first.node, first.value(value)]), storage: first.storage, around: first.levels)
    }

    private static func extreme(
        _ function: ScalarFunction, _ first: QueryExpression, _ others: [QueryExpression]
    ) -> QueryExpression {
        QueryExpression(
            .function(function, [first.node] + others.map(\.node)), storage: first.storage,
            around: others.reduce(first.levels) { Swift.max($0, $1.levels) })
    }

    /// Returns the value, or nil if it is a certain one.
    ///
    /// ```swift
    /// .select { $0.name.nil(if: "") }    // NULLIF(t0."name", $1)
    /// ```
    @_disfavoredOverload
    public func `nil`(if value: Value) -> QueryExpression<Value?> {
        QueryExpression<Value?>(
            .function(.nilIfEqual, [node, self.value(value)]), storage: storage, around: levels)
    }
}

extension QueryExpression {
    /// Returns the optional value, or nil if it is a certain one.
    public func `nil`<Wrapped: Storable>(if value: Wrapped) -> QueryExpression where Value == Wrapped? {
        QueryExpression(
            .function(.nilIfEqual, [node, QueryValue.encoding(value, storage)]), storage: storage, around: levels)
    }
}

extension Ordering {
    /// A random order, another one in each fetch.
    ///
    /// ```swift
    /// .order(by: [.random]).limit(3)    // ORDER BY random(), t0."id" LIMIT 3
    /// ```
    ///
    /// Every object that the conditions let through is read and sorted. There are no pages in it:
    /// ``Query/page(size:after:fileID:line:)`` throws ``DatabaseError/Code/unsupported``.
    public static var random: Ordering { Ordering(.function(.random, []), isDescending: false) }
}

extension QueryNode {
    /// An integer as a value.
    static func integer(_ number: Int) -> QueryNode { .value(.literal(.integer(String(number)))) }

    /// Whether it is another value each time.
    var isRandom: Bool {
        if case .function(.random, _) = self { true } else { children.contains(where: \.isRandom) }
    }
}
