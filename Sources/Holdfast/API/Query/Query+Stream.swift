extension Query {
    /// Streams the objects, with at most some thousand in memory.
    ///
    /// ```swift
    /// for try await project in db.query(Project.self).stream() { print(project.name) }
    /// ```
    ///
    /// These are the objects of ``fetch(fileID:line:)``, in the same order. Relations are loaded for some thousand
    /// objects at a time, so an object that several others reference is one instance only within such a portion.
    public func stream(fileID: StaticString = #fileID, line: UInt = #line) -> QueryStream<Model> {
        let query = at(fileID, line)
        return QueryStream {
            try LoadOperation<Model>(try query.access, specification.scope).stream {
                try await query.source { try $0.select() }
            }
        }
    }

    /// Streams the rows of a statement that reads.
    func stream<Element>(
        of make: @escaping (QuerySQL) throws -> QuerySQL.Rendering,
        read: @escaping @Sendable (StreamSource, Session) async throws -> StreamReader<Element>.Portion
    ) -> StreamReader<Element> {
        StreamReader(
            open: { try await source(make) }, read: read, explain: { Model.ownDescription.explained($0) })
    }

    /// Begins to run a statement whose rows are streamed.
    func source(_ make: (QuerySQL) throws -> QuerySQL.Rendering) async throws -> StreamSource {
        let access = try access
        guard specification.lock == nil else {
            throw DatabaseError(
                .unsupported, "A stream locks no rows, since it reads them while others go on. Fetch them.",
                table: Model.ownDescription.table)
        }
        let (statement, parameters) = try await written(make)
        return try await StreamSource(access, statement, parameters)
    }
}
