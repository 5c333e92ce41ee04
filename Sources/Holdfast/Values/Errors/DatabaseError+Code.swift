extension DatabaseError {
    /// The kind of a failure.
    ///
    /// Kinds can be added in later versions, so a `switch` over them needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case uniqueViolation, foreignKeyViolation, notNullViolation, checkViolation
            case serializationFailure, deadlock, lockTimeout, statementTimeout, poolTimeout, cancelled
            case cannotConnect, authenticationFailed, connectionLost, commitOutcomeUnknown
            case transactionAborted, nestedCheckout, readOnly, permissionDenied, diskFull, corrupt
            case unsupported, invalidValue, decoding, syntax, notFound, notLoaded, conflict, staleVersion
            case notMigrated, changesTrimmed, closed
            case engine
        }

        private let kind: Kind

        public var description: String { kind.rawValue }

        /// Another row has the same value of a unique column, or the same primary key.
        ///
        /// ```swift
        /// } catch let error as DatabaseError where error.code == .uniqueViolation {
        ///     print("taken:", error.properties)    // ["email"]
        /// }
        /// ```
        public static let uniqueViolation = Code(kind: .uniqueViolation)

        /// A row references a row that does not exist, or a row that is still referenced was to be deleted.
        ///
        /// The message says which of both, and names the relations that may be concerned.
        ///
        /// ```sql
        /// DELETE FROM "person" WHERE "id" = 1    -- "project"."lead_id" references it, and is @Required
        /// ```
        public static let foreignKeyViolation = Code(kind: .foreignKeyViolation)

        /// A NOT NULL column got no value.
        ///
        /// ```sql
        /// INSERT INTO "project" ("name") VALUES (NULL)
        /// ```
        public static let notNullViolation = Code(kind: .notNullViolation)

        /// A value violates a CHECK constraint, or a trigger refused it.
        ///
        /// ```sql
        /// UPDATE "project" SET "is_open" = 2    -- CHECK ("is_open" IN (0, 1)) on SQLite
        /// ```
        public static let checkViolation = Code(kind: .checkViolation)

        /// A concurrent transaction prevents a serial order; a retry may succeed.
        ///
        /// ```swift
        /// try await db.transaction(maxRetries: 3) { tx in … }    // retries by itself
        /// ```
        public static let serializationFailure = Code(kind: .serializationFailure)

        /// Two transactions waited for each other; a retry may succeed.
        public static let deadlock = Code(kind: .deadlock)

        /// A lock of another transaction was not released within the lock timeout.
        ///
        /// ```swift
        /// configuration.timeouts.lock = .seconds(2)
        /// ```
        public static let lockTimeout = Code(kind: .lockTimeout)

        /// A statement ran for longer than the statement timeout.
        ///
        /// ```swift
        /// configuration.timeouts.statement = .seconds(5)
        /// ```
        public static let statementTimeout = Code(kind: .statementTimeout)

        /// No connection became free within the checkout timeout.
        ///
        /// The message says who holds the connections, and how many operations wait.
        ///
        /// ```text
        /// poolTimeout: … 4 of at most 4 connections are in use (transaction at App/Import.swift:7 for 31.2 s, …)
        /// ```
        public static let poolTimeout = Code(kind: .poolTimeout)

        /// The task was cancelled; its transaction was rolled back.
        ///
        /// ```swift
        /// task.cancel()    // the statement stops, the transaction rolls back
        /// ```
        public static let cancelled = Code(kind: .cancelled)

        /// The database could not be reached or opened.
        ///
        /// ```swift
        /// Database.open(.sqlite(path: "/no/such/directory/catalog.db"))
        /// ```
        public static let cannotConnect = Code(kind: .cannotConnect)

        /// The server rejected the credentials.
        public static let authenticationFailed = Code(kind: .authenticationFailed)

        /// The connection ended while a statement ran; uncommitted changes are rolled back.
        public static let connectionLost = Code(kind: .connectionLost)

        /// No answer came to COMMIT, or to a write outside a transaction, which may or may not have succeeded.
        ///
        /// ```swift
        /// } catch let error as DatabaseError where error.code == .commitOutcomeUnknown {
        ///     let stored = try await db.find(Order.self, key: order.number)    // read to find out
        /// }
        /// ```
        ///
        /// The reason is ``DatabaseError/underlyingCode``: the connection ended, the statement timeout passed or the
        /// task was cancelled. It is never retried.
        public static let commitOutcomeUnknown = Code(kind: .commitOutcomeUnknown)

        /// An earlier error ended the transaction; nothing more runs in it until it rolls back.
        ///
        /// ```swift
        /// try await db.transaction { tx in
        ///     try? await tx.insert(duplicate)          // uniqueViolation
        ///     try await tx.save(other)                 // transactionAborted
        /// }
        /// ```
        public static let transactionAborted = Code(kind: .transactionAborted)

        /// The database was used inside the closure of its own transaction.
        ///
        /// ```swift
        /// try await db.transaction { tx in
        ///     try await db.save(project)               // use tx here
        /// }
        /// ```
        public static let nestedCheckout = Code(kind: .nestedCheckout)

        /// A write was attempted in a read-only transaction or database.
        ///
        /// ```swift
        /// try await db.read { tx in try await tx.save(project) }
        /// ```
        public static let readOnly = Code(kind: .readOnly)

        /// The user or the process lacks a permission that a statement needs; nothing was done.
        ///
        /// ```sql
        /// GRANT SELECT, INSERT, UPDATE, DELETE ON "project" TO app
        /// ```
        public static let permissionDenied = Code(kind: .permissionDenied)

        /// The engine ran out of disk space.
        public static let diskFull = Code(kind: .diskFull)

        /// The database file or a page of the server's storage is damaged, or is not a database.
        public static let corrupt = Code(kind: .corrupt)

        /// The engine, its version or this library does not support the operation; nothing was done.
        public static let unsupported = Code(kind: .unsupported)

        /// A value can't be stored in its column; usually nothing was sent.
        ///
        /// ```swift
        /// reading.value = .nan    // NaN is refused on both engines
        /// ```
        public static let invalidValue = Code(kind: .invalidValue)

        /// A stored value does not fit the property that reads it.
        ///
        /// ```sql
        /// UPDATE "project" SET "status" = 'lost'    -- no case of enum Status
        /// ```
        public static let decoding = Code(kind: .decoding)

        /// The engine could not parse a statement, or a name in a condition is unknown.
        ///
        /// ```swift
        /// .where("bugdet > \(3)")    // Did you mean "budget"?
        /// ```
        public static let syntax = Code(kind: .syntax)

        /// The row to update or reload does not exist, or an object without a key was to be deleted.
        ///
        /// ```swift
        /// try await db.reload(project)    // another task deleted its row
        /// ```
        public static let notFound = Code(kind: .notFound)

        /// A property is needed that was not loaded.
        ///
        /// ```swift
        /// project.related = []             // loaded on demand, and not loaded
        /// try await db.save(project)       // notLoaded
        /// ```
        ///
        /// A reference to one object can be set without being loaded, and its key is known: see `key(of:)`. To add to
        /// an array with `inverse:` that was not loaded, set the reference of what is added, and save that.
        public static let notLoaded = Code(kind: .notLoaded)

        /// The request contradicts itself, the model, or what exists: a mapping and its table, two objects of one row,
        /// a name that is taken, a second result where one was asked for.
        ///
        /// ```swift
        /// try await db.save([project, copyWithAnotherName])    // two instances of one row
        /// ```
        public static let conflict = Code(kind: .conflict)

        /// The row was changed since an object with a ``Version()`` was read; nothing was written.
        ///
        /// ```swift
        /// } catch let error as DatabaseError where error.code == .staleVersion {
        ///     let current = try error.currentObject(Page.self)
        /// }
        /// ```
        ///
        /// ``DatabaseError/currentObject(_:)`` is the row as it is now.
        public static let staleVersion = Code(kind: .staleVersion)

        /// A table or a column in a statement does not exist; `migrate` creates those of the models.
        ///
        /// ```swift
        /// try await db.migrate(Project.self)
        /// ```
        public static let notMigrated = Code(kind: .notMigrated)

        /// The change log has not all changes after a token any more: they were trimmed, or the database was restored.
        ///
        /// Take a new token, load what you keep anew, and go on from that token.
        public static let changesTrimmed = Code(kind: .changesTrimmed)

        /// The database was closed, or the transaction has ended.
        public static let closed = Code(kind: .closed)

        /// The engine reported an error without a code here; ``DatabaseError/engineCode`` is the engine's code.
        ///
        /// ```swift
        /// print(error.engineCode ?? "")    // "XX000"
        /// ```
        public static let engine = Code(kind: .engine)
    }
}
