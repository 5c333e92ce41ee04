/// How far a statement has come without a suspension: what ``DriverConnection/runImmediately(_:_:timeout:consume:)``
/// returns.
///
/// ```swift
/// switch try connection.runImmediately(statement, .none, timeout: nil, consume: read) {
/// case .notBegun: try await connection.run(statement, .none, timeout: nil) { try read($0) }
/// case .begun(let rest): try await rest(read)
/// case .done: break
/// }
/// ```
@_spi(Driver) public enum RunProgress {
    /// Waits until the statement has ended, and has its rows consumed.
    ///
    /// It throws what ``DriverConnection/run(_:_:timeout:consume:)`` does, heeds the cancellation of its task as that
    /// does, and calls `consume` on the isolation of its caller. It has to be called once: until it returns, the
    /// connection is not used for anything else.
    ///
    /// Pass a nested function, not a closure. In Swift 6.3, a closure that captures an object does not run on its
    /// caller's isolation.
    public typealias Rest =
        nonisolated(nonsending) (_ consume: (any RowSource) throws -> Void) async throws -> Void

    /// Nothing was done, and `consume` was not called.
    case notBegun
    /// The statement was sent, and `consume` was not called yet.
    case begun(Rest)
    /// The statement has run, and its rows were consumed.
    case done
}
