import Foundation
import Holdfast

/// The documents of one table: of a database, or in a transaction.
///
/// ```swift
/// let people = db.documents["people"]
/// try await people.set(Person(name: "Ann", city: "Bonn"), for: "ann")
/// let ann = try await people.get("ann", as: Person.self)
/// let keys = try await people.where { $0["city"] == "Bonn" }.order { $0.key.descending }.documentKeys()
/// ```
///
/// A table needs no declaration: it is there as long as it has documents. Documents of all tables are rows of the
/// database's table `keyed_document`, which ``DocumentStore/migrate(indexes:)`` makes.
public struct DocumentTable<Context: DatabaseContext>: Sendable {
    let context: Context
    /// The name.
    public let name: String
    /// The paths by which its queries may look; nil for any.
    let declared: DeclaredPaths?

    // MARK: Reading

    /// The value of a key; nil if there is none.
    ///
    /// ```swift
    /// let ann = try await people.get("ann", as: Person.self)
    /// let json = try await people.get("ann", as: JSON.self)
    /// ```
    ///
    /// - Throws: `DatabaseError.Code.decoding` if the document does not fit the type.
    public func get<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) async throws -> Value? {
        try await document(key)?.decode(type)
    }

    /// The values of the keys that there are, by key and in the order of keys.
    ///
    /// ```swift
    /// let people = try await people.get(["ann", "bob"], as: Person.self)
    /// print(people["ann"]?.city ?? "")
    /// ```
    ///
    /// Keys are compared by their bytes: two spellings of "é", which Swift takes for equal, are two keys.
    public func get<Value: Decodable>(
        _ keys: [String], as type: Value.Type = Value.self
    ) async throws -> DocumentValues<Value> {
        DocumentValues(try await documents(keys).map { ($0.key, try $0.decode(type)) })
    }

    /// The document of a key, with its times; nil if there is none.
    public func document(_ key: String) async throws -> Document? {
        try requireName()
        return try await context.find(Document.self, key: Key(name, key))
    }

    /// The documents of the keys that there are, in the order of keys.
    public func documents(_ keys: [String]) async throws -> [Document] {
        try requireName()
        return try await query.where { $0.key.in(keys) }.order { $0.key.ascending }.fetch()
    }

    /// Whether there is a document with a key.
    public func hasKey(_ key: String) async throws -> Bool { try await hasAllKeys([key]) }

    /// Whether there are documents with all the keys; true for none.
    public func hasAllKeys(_ keys: [String]) async throws -> Bool {
        try requireName()
        // Swift takes some texts for equal whose bytes differ.
        let count = Set(keys.map { Array($0.utf8) }).count
        return try await query.where { $0.key.in(keys) }.count() == count
    }

    /// The keys of all documents, in their order.
    public func keys() async throws -> [String] {
        try requireName()
        return try await query.order { $0.key.ascending }.documentKeys()
    }

    /// A query for all documents of the table.
    public var query: Query<Document> {
        let query = context.query(Document.self).where { $0.table == name }
        return declared.map(query.declaring) ?? query
    }

    /// A query for the documents that meet a condition.
    ///
    /// ```swift
    /// people.where { $0["address.city"] == "Bonn" && $0["age"] >= 18 }
    /// ```
    ///
    /// A path where a document has nothing, or a value of another type, matches nothing. Where paths are declared, by
    /// ``DocumentStore/subscript(_:_:)``, others are refused.
    public func `where`(_ condition: (Columns<Document>) -> some ConditionConvertible) -> Query<Document> {
        query.where(condition)
    }

    // MARK: Writing

    /// Sets the value of a key, and replaces the one that it has.
    ///
    /// ```swift
    /// try await people.set(ann, for: "ann")
    /// try await sessions.set(["user": "ann"] as JSON, for: token, expiresAt: .now + 3_600)
    /// try await people.set(JSON(parsing: text), for: "bob")
    /// ```
    ///
    /// - Parameters:
    ///   - value: Any `Codable` value, or `JSON`.
    ///   - key: The key.
    ///   - expiresAt: The instant from which on the document is gone; nil if it stays.
    /// - Throws: `DatabaseError.Code.invalidValue` for what JSON can't say, such as a NaN; and for a key that is too
    ///   long: it has, together with the name of the table, 2,500 bytes at most.
    public func set(_ value: some Encodable, for key: String, expiresAt: Date? = nil) async throws {
        try await set([(key, DocumentCoding.encode(value))], expiresAt)
    }

    /// Sets the values of several keys, all or none.
    public func set(_ values: [String: some Encodable], expiresAt: Date? = nil) async throws {
        try await set(try values.map { ($0.key, try DocumentCoding.encode($0.value)) }, expiresAt)
    }

    private func set(_ values: [(key: String, value: JSON)], _ expiresAt: Date?) async throws {
        try requireName()
        // In the order of keys, so that two that set the same ones wait for each other, and not in a circle.
        let documents = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { Document($0.value, table: name, key: $0.key, expiresAt: expiresAt) }
        for document in documents { try document.requireKey() }
        try await context.upsertWithoutReturning(documents)
    }

    /// Sets the value of a key, if nobody has set or deleted it since the document was read.
    ///
    /// ```swift
    /// guard let document = try await people.document("ann") else { return }
    /// var ann = try document.decode(Person.self)
    /// ann.visits += 1
    /// try await people.set(ann, ifUnchangedSince: document)
    /// ```
    ///
    /// The document still expires when it did before.
    ///
    /// - Throws: `DatabaseError.Code.staleVersion` if it was set or deleted; nothing is changed then.
    public func set(_ value: some Encodable, ifUnchangedSince document: Document) async throws {
        guard try await replace(document, by: DocumentCoding.encode(value)) else {
            throw DatabaseError(
                .staleVersion, "A document was set or deleted since it was read.", table: Document.databaseTable)
        }
    }

    /// Replaces the value of a document, unless it has changed.
    private func replace(_ document: Document, by value: JSON) async throws -> Bool {
        // Whoever was deleted and added again counts from 0 once more.
        try await query.where {
            $0.key == document.key && $0.version == document.version && $0.addedAt == document.addedAt
        }.update { $0.value.set(value) } == 1
    }

    /// Merges a patch into the document of a key, by RFC 7396: members that are `null` in the patch go away, others
    /// replace those of the same name.
    ///
    /// ```swift
    /// try await people.merge(["city": "Köln", "nickname": .null], into: "ann")
    /// ```
    ///
    /// A key that is not there is set to the patch, without what is `null` in it. Of several that merge at a time, each
    /// merges into what the one before has made.
    ///
    /// - Returns: What the document says now.
    @discardableResult
    public func merge(_ patch: JSON, into key: String) async throws -> JSON {
        for _ in 0..<Self.mergeRounds {
            if let document = try await document(key) {
                let merged = document.value.merging(patch)
                if try await replace(document, by: merged) { return merged }
            } else {
                let merged = JSON.null.merging(patch)
                let new = Document(merged, table: name, key: key)
                try new.requireKey()
                if try await context.insertOrIgnore(new) != nil { return merged }
                // Unless somebody else came first, another unique value is there already.
                if try await document(key) == nil { return try await insert(new) }
            }
            try Task.checkCancellation()
        }
        throw DatabaseError(
            .staleVersion, "A patch found a document changed by others each time.", table: Document.databaseTable)
    }

    /// The number of times that a patch is merged anew, since others have changed the document meanwhile.
    private static var mergeRounds: Int { 1_000 }

    private func insert(_ document: Document) async throws -> JSON {
        _ = try await context.insert(document)
        return document.value
    }

    /// Deletes the document of a key.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func delete(_ key: String) async throws -> Bool { try await delete([key]) > 0 }

    /// Deletes the documents of several keys, all or none.
    ///
    /// - Returns: The number of those that there were.
    @discardableResult
    public func delete(_ keys: [String]) async throws -> Int {
        try requireName()
        return try await query.where { $0.key.in(keys) }.delete()
    }

    private func requireName() throws {
        if name.isEmpty { throw DatabaseError(.invalidValue, "A table of documents has a name.") }
    }
}

extension DocumentTable: _ValuesHidden {}

extension Query<Document> {
    /// Fetches the keys of the documents, in the order of the query.
    public func documentKeys() async throws -> [String] { try await select { $0.key }.fetch() }

    /// Fetches the documents as values.
    ///
    /// - Throws: `DatabaseError.Code.decoding` if a document does not fit the type.
    public func fetch<Value: Decodable>(as type: Value.Type) async throws -> [Value] {
        try await fetch().map { try $0.decode(type) }
    }
}
