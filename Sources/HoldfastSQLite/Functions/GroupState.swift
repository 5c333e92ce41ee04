import CSQLite

/// Where SQLite keeps what an aggregate function of ours has of a group so far.
enum GroupState<State: AnyObject> {
    /// The state that belongs to a group: a new one at its first row, which ``end(_:)`` frees.
    static func of(_ context: OpaquePointer?, _ new: @autoclosure () -> State) -> State? {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let place = place(context, size) else { return nil }
        if let known = place.pointee { return Unmanaged<State>.fromOpaque(known).takeUnretainedValue() }
        let state = new()
        place.pointee = Unmanaged.passRetained(state).toOpaque()
        return state
    }

    /// The state of a group that has had a row.
    static func current(_ context: OpaquePointer) -> State? {
        guard let known = place(context, 0)?.pointee else { return nil }
        return Unmanaged<State>.fromOpaque(known).takeUnretainedValue()
    }

    /// The state of a group that has had a row, which SQLite keeps no longer.
    static func end(_ context: OpaquePointer) -> State? {
        guard let place = place(context, 0), let known = place.pointee else { return nil }
        place.pointee = nil
        return Unmanaged<State>.fromOpaque(known).takeRetainedValue()
    }

    private static func place(
        _ context: OpaquePointer?, _ size: Int32
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}
