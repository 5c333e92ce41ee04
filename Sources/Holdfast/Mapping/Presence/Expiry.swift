/// The column with the instant from which an object is gone.
struct Expiry: Sendable {
    /// The position of the property.
    let property: Int
    let column: String
    let storage: ValueStorage
    let isNullable: Bool

    /// The order of the index on the column.
    ///
    /// `"until" NULLS FIRST`
    func order(_ dialect: any Dialect) -> String {
        dialect.orderTerm(dialect.quoted(column), isDescending: false, nullsFirst: isNullable ? true : nil)
    }

    /// The condition that a row has expired, which an index on the column can answer; nil if the engine has no time for
    /// it.
    ///
    /// `"session"."until" <= statement_timestamp()`
    ///
    /// - Parameter prefix: What the table is called, if columns have to be told apart.
    func hasPassed(_ prefix: String?, _ dialect: any Dialect) -> String? {
        dialect.currentTime?.value(in: storage).map { now in
            "\(prefix.map { $0 + "." } ?? "")\(dialect.quoted(column)) <= \(now)"
        }
    }
}
