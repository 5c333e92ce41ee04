import Holdfast

/// The tables of documents: of a database, or in a transaction.
///
/// ```swift
/// let db = try await Database.open(.sqlite(path: "store.db"))
/// try await db.documents.migrate()
/// try await db.documents["people"].set(ann, for: "ann")
/// print(try await db.documents.tables())    // ["people"]
/// ```
public struct DocumentStore<Context: DatabaseContext>: Sendable {
    let context: Context

    /// A table, which need not exist.
    public subscript(name: String) -> DocumentTable<Context> {
        DocumentTable(context: context, name: name, declared: nil)
    }

    /// A table whose queries look by declared paths alone.
    ///
    /// ```swift
    /// let people = db.documents["people", ["name": .text, "address.city": .text, "age": .integer]]
    /// try await people.where { $0["adress.city"] == "Bonn" }.count()
    /// // A query names the path "adress.city", which the table does not declare.
    /// // Did you mean "address.city"?
    /// ```
    ///
    /// When a query of the table runs, it throws `DatabaseError.Code.syntax` for another path, and
    /// `DatabaseError.Code.invalidValue` for a value of another type, be it in a condition, an order, a selection or an
    /// update. Condition text and orders by name use the declared types:
    ///
    /// ```swift
    /// people.query.where("value.age > 17").order(by: [.descending("value.age")])
    /// ```
    ///
    /// A declaration says what queries may ask for, and not what documents have: what is set is not checked, and the
    /// same table is still there without it.
    ///
    /// - Parameters:
    ///   - name: The name of the table, which need not exist.
    ///   - paths: The paths, and what is there.
    public subscript(name: String, paths: DocumentPaths) -> DocumentTable<Context> {
        DocumentTable(context: context, name: name, declared: paths.declared)
    }

    /// The names of the tables that have documents, in their order.
    public func tables() async throws -> [String] {
        // One after the other, each by the index: there are few tables, and many documents.
        var (names, last): ([String], String?) = ([], nil)
        while true {
            let query = context.query(Document.self)
            let rest = last.map { last in query.where { $0.table > last } } ?? query
            guard let next = try await rest.order({ $0.table.ascending }).limit(1).select({ $0.table }).fetch().first
            else { return names }
            names.append(next)
            last = next
        }
    }

    /// Whether there are documents in a table.
    public func hasTable(_ name: String) async throws -> Bool { try await self[name].query.exists() }

    /// Deletes all documents of a table.
    ///
    /// - Returns: The number of documents.
    @discardableResult
    public func dropTable(_ name: String) async throws -> Int { try await self[name].query.delete() }
}

extension DocumentStore<Database> {
    /// Makes or changes the database's table of documents.
    ///
    /// Call it when the program starts, like `migrate` for models; or name ``Document`` among the models.
    ///
    /// ```swift
    /// try await db.documents.migrate(indexes: [.path("address.city", as: String.self)])
    /// ```
    ///
    /// - Parameter indexes: Indexes of values in documents. One that was made stays, until a migration drops it.
    public func migrate(indexes: [TableIndex] = []) async throws {
        try await context.migrate(Schema(Document.self).indexing(Document.self, by: indexes))
    }
}

extension TableIndex {
    /// An index of the values at a path, in the documents of all tables, for conditions and orders by the same path and
    /// type.
    ///
    /// ```sql
    /// CREATE INDEX … ON "keyed_document" ("table_name", (CASE json_type(…) … END), "document_key")
    /// ```
    ///
    /// PostgreSQL refuses documents with a text of more than about 2,700 bytes at such a path, less the key, with
    /// `DatabaseError.Code.invalidValue`.
    ///
    /// For several paths in one index, and unique ones:
    ///
    /// ```swift
    /// TableIndex.unique("table", .json("value", "owner", as: String.self), .json("value", "number", as: Int.self))
    /// ```
    public static func path<Scalar: JSONScalar>(_ path: String, as type: Scalar.Type) -> TableIndex {
        // The key as well, by which results are ordered: else SQLite goes through all keys of the table for that order.
        .index("table", .json("value", path, as: type), "key")
    }
}

extension DatabaseContext {
    /// The tables of documents.
    public var documents: DocumentStore<Self> { DocumentStore(context: self) }
}
