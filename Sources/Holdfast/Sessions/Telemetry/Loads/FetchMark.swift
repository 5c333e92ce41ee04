/// What the objects of one fetch have in common: in debug builds a ``LoadOrigin``, in others nothing.
struct FetchMark: Sendable {
    #if DEBUG
    private let origin: LoadOrigin
    #endif

    init(_ access: DatabaseAccess) {
        #if DEBUG
        origin = LoadOrigin(access.site)
        #endif
    }

    /// Makes objects that have the mark.
    @inline(__always)
    func making<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if DEBUG
        return try LoadOrigin.$current.withValue(origin) { try body() }
        #else
        return try body()
        #endif
    }
}
