extension Database {
    /// Deletes the rows of objects that have expired, now.
    ///
    /// ```swift
    /// let count = try await db.sweepExpired(Session.self)
    /// // SELECT "token" FROM "session" WHERE "until" <= … ORDER BY "until" LIMIT 500 FOR UPDATE SKIP LOCKED
    /// // DELETE FROM "session" WHERE "token" = ANY($1)
    /// ```
    ///
    /// They are gone for every reader already; this frees their room. It happens in the background as well, at
    /// ``DatabaseConfiguration/Expiry/sweepInterval``. Few rows are deleted by each transaction, so that others who
    /// write are not kept waiting, and an error or a cancelled task leaves deleted what was. Delete rules, arrays and
    /// links apply as to a deletion by a query; hooks are not called. Listeners and the change log are told of
    /// deletions.
    ///
    /// Any number of processes may do it at the same time. Rows that others have locked are left for the next time.
    ///
    /// - Parameters:
    ///   - types: The types; those whose objects don't expire have nothing to delete.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows of these types, without what went with them.
    /// - Throws: ``DatabaseError/Code/foreignKeyViolation`` if objects could not be deleted because others refer to
    ///   them that can't be without them. The others were deleted then; if there are more than a thousand that could
    ///   not be, those behind the thousandth are for the next call, which begins there.
    @discardableResult
    public func sweepExpired(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try CurrentLease.check(core.id)
        var count = 0
        var refusal: DatabaseError?
        for type in types {
            let swept = try await type.sweep(core, CallSite(fileID, line))
            count += swept.count
            refusal = refusal ?? swept.refusal
        }
        if let refusal { throw refusal }
        return count
    }
}

extension TableObject {
    fileprivate static func sweep(
        _ core: DatabaseCore, _ site: CallSite
    ) async throws -> SweepOutcome {
        try await ExpirySweep<Self>(core: core, site: site).run()
    }

    /// Makes the statements of a type whose objects expire, with which the sweep begins.
    static func prepareExpiry(in core: DatabaseCore) throws {
        if ownDescription.expiry != nil { _ = try core.seeingAll(of: ownDescription).plan(for: Self.self) }
    }
}
