internal import CPostgres

/// An owned `PGconn`, finished when it leaves scope unless somebody took it.
struct LibpqSession: ~Copyable, @unchecked Sendable {
    // Unchecked: it has one owner at a time, and libpq binds connections to no thread.
    private var pointer: OpaquePointer?

    init(_ pointer: OpaquePointer?) { self.pointer = pointer }

    deinit { if let pointer { PQfinish(pointer) } }

    /// Calls `body` with the connection, if there is one.
    @discardableResult
    func use<Output>(_ body: (OpaquePointer) -> Output) -> Output? {
        if let pointer { body(pointer) } else { nil }
    }

    /// Gives the connection away: the caller must see to it that it is finished.
    consuming func take() -> OpaquePointer? {
        let taken = pointer
        discard self
        return taken
    }
}
