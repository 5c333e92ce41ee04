extension TaskLocal {
    /// Binds a value while `operation` runs, which does so on the caller's isolation.
    ///
    /// A closure that is passed to `withValue` itself counts as nonisolated there, and would run elsewhere: on objects
    /// that are the caller's, at the same time as others of its isolation.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    package func binding<Output>(
        _ value: Value, isolation: isolated (any Actor)? = #isolation,
        _ operation: nonisolated(nonsending) () async throws -> Output
    ) async rethrows -> Output {
        try await withValue(
            value,
            operation: {
                _ = isolation  // makes the closure isolated to it
                return try await operation()
            }, isolation: isolation)
    }
}
