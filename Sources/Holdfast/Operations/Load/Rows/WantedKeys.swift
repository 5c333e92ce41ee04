/// The keys of rows that references lead to and that a load still has to ask for, each key once in a load.
///
/// A long list would take a statement for each of its objects. Where level after level asks for few rows by one
/// reference of the table to itself, more and more of the list is prefetched: twice as much each time, so at most twice
/// what is needed.
struct WantedKeys {
    /// The reference along which more rows are prefetched, and how many steps.
    struct Chain: Equatable {
        let property: Int
        let steps: Int
    }

    /// More keys than this are not those of a list.
    private static let greatestNarrowCount = 4
    /// The number of narrow levels before the first one that prefetches.
    private static let leastNarrowLevelCount = 4

    private var keys: [Key] = []
    /// The keys that were ever asked for.
    private var askedFor = KeyIndex()
    /// The references of the table to itself by which keys were asked for since they were taken last.
    private var selfReferences: Set<Int> = []
    private var isWantedByOthers = false
    /// The number of levels in a row that asked for few keys by one reference of the table to itself.
    private var narrowLevelCount = 0

    /// Prepares for keys that come in any order.
    mutating func expect(_ keys: ClosedRange<Int64>, count: Int) { askedFor.reserve(keys, count: count) }

    /// Adds a key, unless it was asked for before.
    mutating func insert(_ key: Key) {
        if askedFor.insert(key, 0) { keys.append(key) }
    }

    /// Notes that a reference of the table to itself leads to wanted keys.
    mutating func noteSelfReference(_ property: Int) { selfReferences.insert(property) }

    /// Notes that another table refers to wanted keys.
    mutating func noteOther() { isWantedByOthers = true }

    /// Takes the keys of a level.
    ///
    /// - Parameter isUnbounded: Whether the load follows relations to the end.
    /// - Returns: The keys, and the reference along which rows may be prefetched from there.
    mutating func take(isUnbounded: Bool) -> (keys: [Key], chain: Chain?) {
        defer {
            keys = []
            selfReferences = []
            isWantedByOthers = false
        }
        guard !keys.isEmpty else { return ([], nil) }
        let isNarrow = keys.count <= Self.greatestNarrowCount && selfReferences.count == 1 && !isWantedByOthers
        narrowLevelCount = isNarrow && isUnbounded ? narrowLevelCount + 1 : 0
        guard narrowLevelCount > Self.leastNarrowLevelCount, let property = selfReferences.first else {
            return (keys, nil)
        }
        return (keys, Chain(property: property, steps: 1 << min(narrowLevelCount, 12)))
    }
}
