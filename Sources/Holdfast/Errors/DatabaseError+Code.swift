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
            case notMigrated, closed
            case engine
        }

        private let kind: Kind

        public var description: String { kind.rawValue }

        /// Another row has that value of a unique column, or that primary key.
        public static let uniqueViolation = Code(kind: .uniqueViolation)
        /// A row refers to one that does not exist, or one that is still referred to was to be deleted.
        public static let foreignKeyViolation = Code(kind: .foreignKeyViolation)
        /// A column that must have a value was given none.
        public static let notNullViolation = Code(kind: .notNullViolation)
        /// A value is outside what a CHECK constraint allows.
        public static let checkViolation = Code(kind: .checkViolation)
        /// A concurrent transaction made this one impossible to order; retrying it may succeed.
        public static let serializationFailure = Code(kind: .serializationFailure)
        /// Two transactions waited for each other; retrying this one may succeed.
        public static let deadlock = Code(kind: .deadlock)
        /// A lock that another transaction holds was not had within the lock timeout.
        public static let lockTimeout = Code(kind: .lockTimeout)
        /// A statement ran for longer than the statement timeout.
        public static let statementTimeout = Code(kind: .statementTimeout)
        /// No connection became free within the checkout timeout.
        public static let poolTimeout = Code(kind: .poolTimeout)
        /// The task was cancelled; what it had done in a transaction was rolled back.
        public static let cancelled = Code(kind: .cancelled)
        /// The database could not be reached or opened.
        public static let cannotConnect = Code(kind: .cannotConnect)
        /// The server refused the credentials.
        public static let authenticationFailed = Code(kind: .authenticationFailed)
        /// The connection ended while a statement ran; whatever was not committed is rolled back.
        public static let connectionLost = Code(kind: .connectionLost)
        /// No answer came to COMMIT, or to a write outside a transaction: it may or may not have been done.
        ///
        /// The connection ended, the statement timeout passed or the task was cancelled meanwhile:
        /// ``DatabaseError/underlyingCode`` says which. It is never retried.
        public static let commitOutcomeUnknown = Code(kind: .commitOutcomeUnknown)
        /// An earlier error ended the transaction; nothing more runs in it until it rolls back.
        public static let transactionAborted = Code(kind: .transactionAborted)
        /// The database was used inside the closure of its own transaction.
        public static let nestedCheckout = Code(kind: .nestedCheckout)
        /// A write was tried in a read-only transaction or database.
        public static let readOnly = Code(kind: .readOnly)
        /// The user, or the process, lacks a permission for what a statement does; nothing was done.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The engine ran out of disk space.
        public static let diskFull = Code(kind: .diskFull)
        /// The database file or a page of the server's storage is damaged, or is not a database.
        public static let corrupt = Code(kind: .corrupt)
        /// The engine, its version or this library can't do what was asked; nothing was done.
        public static let unsupported = Code(kind: .unsupported)
        /// A value can't be stored in its column; nothing was sent.
        public static let invalidValue = Code(kind: .invalidValue)
        /// A stored value does not fit the property that reads it.
        public static let decoding = Code(kind: .decoding)
        /// The engine could not parse a statement, or did not know a function or a type in it.
        public static let syntax = Code(kind: .syntax)
        /// The row to update, delete or reload is gone.
        public static let notFound = Code(kind: .notFound)
        /// A property was needed that had not been loaded.
        public static let notLoaded = Code(kind: .notLoaded)
        /// Two descriptions of one thing contradict each other: a mapping and a table, or two objects of one row.
        public static let conflict = Code(kind: .conflict)
        /// The row was changed since an object with a ``Version()`` was read; nothing was written.
        ///
        /// ``DatabaseError/currentObject(_:)`` is the row as it is now.
        public static let staleVersion = Code(kind: .staleVersion)
        /// A table or a column that a statement names does not exist; `migrate` creates those of the models.
        public static let notMigrated = Code(kind: .notMigrated)
        /// The database was closed.
        public static let closed = Code(kind: .closed)
        /// The engine failed in a way that has no code of its own here; ``DatabaseError/engineCode`` tells which.
        public static let engine = Code(kind: .engine)
    }
}
