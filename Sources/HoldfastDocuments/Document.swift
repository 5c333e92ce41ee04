import Foundation
import Holdfast

/// A document: any JSON under a key, in a table that has a name and no declaration.
///
/// It is a model like others, kept in the database's table `keyed_document`. So whatever takes a model takes
/// documents, too: queries, transactions, observed queries, events and the change log.
///
/// ```swift
/// let recent = db.query(Document.self).where { $0.table == "people" && $0.updatedAt > yesterday }
/// for try await result in recent.observe() { print(result.objects.map(\.key)) }
/// ```
///
/// ``DocumentTable`` has the usual operations.
@Table("keyed_document")
public struct Document: Sendable, Hashable {
    /// The name of its table.
    @PrimaryKey @Column("table_name") public var table: String
    /// Its key, which is compared by its bytes.
    @PrimaryKey @Column("document_key") public var key: String
    /// The JSON.
    public var value: JSON
    /// The time at which its key was set first.
    @Timestamp(.created) public var addedAt: Date?
    /// The time at which it was set last.
    @Timestamp(.modified) public var updatedAt: Date?
    /// The instant from which on it is gone; nil if it stays.
    @Expires public var expiresAt: Date?
    /// The number of times that it was set again.
    @Version public var version = 0

    /// Creates a document.
    public init(_ value: JSON, table: String, key: String, expiresAt: Date? = nil) {
        (self.value, self.table, self.key, self.expiresAt) = (value, table, key, expiresAt)
    }

    /// The database's table of documents, as errors name it: the names of their tables are values like others.
    static let databaseTable = "keyed_document"

    /// - Throws: `DatabaseError.Code.invalidValue` for a key that not every engine could have in an index.
    func requireKey() throws {
        if table.utf8.count + key.utf8.count <= Self.greatestKey { return }
        throw DatabaseError(
            .invalidValue,
            "The key of a document and the name of its table have \(Self.greatestKey) bytes together at most. Nothing was sent.",
            table: Self.databaseTable, properties: ["key"])
    }

    /// PostgreSQL's indexes have room for about 2,700.
    private static let greatestKey = 2_500

    /// Decodes the JSON.
    ///
    /// - Throws: `DatabaseError.Code.decoding` if it does not fit the type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try DocumentCoding.decode(type, from: self)
    }
}

extension Document: _ValuesHidden {}
