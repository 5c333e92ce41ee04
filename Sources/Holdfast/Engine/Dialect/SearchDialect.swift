/// How an engine indexes texts for full text search, and asks for them.
///
/// Words are the longest runs of letters and decimal digits of Unicode, with the accents behind letters; they are
/// compared without case and with accents.
@_spi(Driver) public protocol SearchDialect: Sendable {
    /// Returns the statements that make an index, and fill it with the rows that the table has.
    ///
    /// They replace what may be left of one of that name.
    func create(_ index: SearchIndex, on table: String) -> [SearchStatement]

    /// Returns the statements that drop an index.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - table: The table that it is of.
    func drop(_ name: String, on table: String) -> [String]

    /// What keeps the database from having such indexes as it was opened, as a sentence; nil, the default, if nothing
    /// does.
    var obstacle: String? { get }

    /// Whether indexes are kept by triggers, ``SearchIndex/trigger(_:)``; otherwise they are indexes of the table.
    var isKeptByTriggers: Bool { get }

    /// Returns the condition that a row has what is searched for.
    ///
    /// - Parameters:
    ///   - terms: What is searched for; neither nothing nor everything.
    ///   - source: The row.
    ///   - bind: Binds a text, and returns its placeholder.
    func matches(_ terms: SearchTerms, in source: SearchSource, bind: (String) throws -> String) rethrows -> String

    /// Returns a number that is the greater the better a row fits, 0 for one that does not.
    ///
    /// - Parameters:
    ///   - phrases: What is searched for, each a ``SearchTerms/phrase(_:isPrefix:)``.
    ///   - source: The row.
    ///   - bind: Binds a text, and returns its placeholder.
    func rank(_ phrases: [SearchTerms], in source: SearchSource, bind: (String) throws -> String) rethrows -> String
}

@_spi(Driver) extension SearchDialect {
    public var obstacle: String? { nil }
}

/// A statement that makes a part of a search index.
@_spi(Driver) public struct SearchStatement: Hashable, Sendable {
    /// The statement.
    public var sql: String
    /// The trigger that it makes; nil for none.
    public var trigger: String?

    /// Creates a statement.
    public init(_ sql: String, trigger: String? = nil) { (self.sql, self.trigger) = (sql, trigger) }
}

/// The row that a query searches.
@_spi(Driver) public struct SearchSource: Sendable {
    /// The index.
    public let index: SearchIndex
    /// The columns of the index in the query, as SQL.
    public let columns: [String]
    /// The columns of the key in the query, as SQL.
    public let key: [String]
}
