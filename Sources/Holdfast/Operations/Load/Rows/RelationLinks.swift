/// The targets of the rows of a table by one relation, as far as a load has followed it.
///
/// Rows of the table and of the relation's target are given by their indices there.
struct RelationLinks {
    /// A link of a relation to many.
    typealias Link = (row: Int32, target: Int32)

    /// In place of a target: there is none.
    static let none: Int32 = -1
    /// In place of a target: a key that leads to no row.
    static let missing: Int32 = -2

    /// For each row the target of a relation to one; nil before that was followed.
    private(set) var targets: [Int32]?
    /// The links of a relation to many, those of a row in the order of its array; nil before that was followed.
    private(set) var links: [Link]?
    /// The rows with targets that are left out for what they lack.
    private(set) var incomplete: Set<Int> = []
    /// For each row, whether the relation was followed from it.
    private var isFollowed: [Bool] = []
    /// The number of links before this level.
    private var linkCountBefore = 0
    /// The rows whose targets have been asked for.
    private var waiting: [Int] = []

    // MARK: Following

    /// Marks the relation as followed from rows.
    ///
    /// - Returns: Those from which it had not been.
    mutating func follow(from rowIndices: [Int], rowCount: Int) -> [Int] {
        isFollowed.extend(to: rowCount, by: false)
        return rowIndices.filter { row in
            defer { isFollowed[row] = true }
            return !isFollowed[row]
        }
    }

    func isFollowed(from row: Int) -> Bool { row < isFollowed.count && isFollowed[row] }

    func isFollowedFromAll(rowCount: Int) -> Bool { isFollowed.count == rowCount && !isFollowed.contains(false) }

    /// Remembers which links are there before the level that begins.
    mutating func beginLevel() { linkCountBefore = links?.count ?? 0 }

    /// The targets of rows from which the relation was followed in this level or, along a path, in an earlier one.
    func targets(of rowIndices: [Int], isAlongPath: Bool) -> [Int] {
        if let links {
            guard isAlongPath else {
                return links[linkCountBefore...].lazy.filter { $0.target >= 0 }.map { Int($0.target) }
            }
            let chosen = Set(rowIndices.map { Int32(truncatingIfNeeded: $0) })
            return links.lazy.filter { $0.target >= 0 && chosen.contains($0.row) }.map { Int($0.target) }
        }
        guard let targets else { return [] }
        return rowIndices.lazy.filter { $0 < targets.count && targets[$0] >= 0 }.map { Int(targets[$0]) }
    }

    /// The number of times that the relation leads to a row.
    var count: Int { links?.count ?? targets?.count { $0 >= 0 } ?? 0 }

    // MARK: References

    /// Makes room for the targets of so many rows.
    mutating func extendTargets(to rowCount: Int) { targets = takeTargets(rowCount: rowCount) }

    /// Takes out the targets of so many rows, so that they are changed in place.
    private mutating func takeTargets(rowCount: Int) -> [Int32] {
        var taken = targets ?? []
        targets = nil
        taken.extend(to: rowCount, by: Self.none)
        return taken
    }

    /// Looks for the targets of references.
    ///
    /// - Parameters:
    ///   - rowIndices: The rows that hold the references.
    ///   - stored: All rows of the table.
    ///   - cells: Where the keys of the references are in them.
    ///   - known: The indices of the target's rows by their keys.
    ///   - ask: Asks for the row with a key that is not known.
    /// - Returns: Whether any reference waits for a row.
    mutating func lookUp(
        _ rowIndices: [Int], of stored: StoredRows, at cells: ReferenceCells, in known: KeyIndex, ask: (Key) -> Void
    ) -> Bool {
        var targets = takeTargets(rowCount: stored.rowCount)
        for row in rowIndices {
            guard let key = cells.key(in: stored.row(row)) else { continue }
            if let target = known[key] {
                targets[row] = target
            } else {
                targets[row] = Self.missing
                waiting.append(row)
                ask(key)
            }
        }
        self.targets = targets
        return !waiting.isEmpty
    }

    /// Looks again for the targets of references that waited: see ``lookUp(_:of:at:in:ask:)``.
    mutating func resolve(in stored: StoredRows, at cells: ReferenceCells, in known: KeyIndex) {
        guard !waiting.isEmpty, var targets else { return }
        self.targets = nil
        for row in waiting {
            guard let key = cells.key(in: stored.row(row)), let target = known[key] else { continue }
            targets[row] = target
        }
        waiting = []
        self.targets = targets
    }

    // MARK: Links that other tables keep

    /// Appends the links of a join table; those of owners that are not here are nobody's.
    ///
    /// - Parameters:
    ///   - owners: Whose the links are.
    ///   - rows: The rows whose links are taken.
    ///   - index: The indices of rows by their keys.
    ///   - target: The target of a link; nil if its row is not there.
    mutating func append(
        _ owners: OwnerRuns, among rows: Range<Int>, in index: KeyIndex, target: (Int) -> Int32?
    ) {
        var links = links ?? []
        self.links = nil
        links.makeRoom(for: owners.rowCount)
        owners.forEach { owner, run in
            guard let row = index[owner], rows.contains(Int(row)) else { return }
            for link in run { links.append((row, target(link) ?? Self.missing)) }
        }
        self.links = links
    }

    /// Links rows of the target, which hold a foreign key, to the rows that they refer to, for a relation to many.
    ///
    /// - Parameters:
    ///   - owners: For each holder the row that it refers to; nil if the load has no such row.
    ///   - holders: The rows of the target that hold the foreign key.
    mutating func appendHolders(_ holders: [Int], of owners: [Int?]) {
        var links = links ?? []
        self.links = nil
        for (holder, owner) in zip(holders, owners) {
            guard let owner else { continue }
            links.append((Int32(truncatingIfNeeded: owner), Int32(truncatingIfNeeded: holder)))
        }
        self.links = links
    }

    /// Links rows of the target, which hold a foreign key, to the rows that they refer to, for a relation to one.
    ///
    /// ``appendHolders(_:of:)`` does so for a relation to many.
    ///
    /// - Returns: False if two rows of the target refer to the same row.
    mutating func setHolders(_ holders: [Int], of owners: [Int?], rowCount: Int) -> Bool {
        var targets = takeTargets(rowCount: rowCount)
        defer { self.targets = targets }
        for (holder, owner) in zip(holders, owners) {
            guard let owner else { continue }
            guard targets[owner] == Self.none else { return false }
            targets[owner] = Int32(truncatingIfNeeded: holder)
        }
        return true
    }

    /// The targets, arranged by row; nil if the relation was not followed.
    mutating func arranged(rowCount: Int) -> RelatedRowIndices? {
        if let links { return RelatedRowIndices(links, rowCount: rowCount) }
        guard targets != nil else { return nil }
        extendTargets(to: rowCount)
        return targets.map { RelatedRowIndices(targets: $0) }
    }

    // MARK: Missing and omitted targets

    /// The rows with a key that leads to no row, besides those that are left out: once for each such key.
    func rowsWithMissing(besides omitted: Set<Int>) -> [Int] {
        if let links {
            return links.lazy.filter { $0.target == Self.missing && !omitted.contains(Int($0.row)) }.map { Int($0.row) }
        }
        guard let targets else { return [] }
        return targets.indices.filter { targets[$0] == Self.missing && !omitted.contains($0) }
    }

    /// Forgets keys that lead to no row: for a relation to one those of the given rows, for a relation to many those of
    /// all rows.
    mutating func removeMissing(of rowIndices: [Int]) {
        links = links?.filter { $0.target != Self.missing }
        for row in rowIndices where targets?[row] == Self.missing { targets?[row] = Self.none }
    }

    /// The rows with a target among some.
    func rowIndices(leadingTo chosen: Set<Int>) -> Set<Int> {
        var rowIndices: Set<Int> = []
        forEach { row, target in
            if chosen.contains(target) { rowIndices.insert(row) }
        }
        return rowIndices
    }

    /// Forgets targets that are left out.
    mutating func removeTargets(_ omitted: Set<Int>) {
        links = links?.filter { !omitted.contains(Int($0.target)) }
        targets = targets?.map { omitted.contains(Int($0)) ? Self.none : $0 }
    }

    /// Whether a row has targets that are left out for what they lack.
    func isIncomplete(_ row: Int) -> Bool { !incomplete.isEmpty && incomplete.contains(row) }

    /// Remembers that rows have targets which are left out for what they lack.
    mutating func noteIncomplete(_ rowIndices: Set<Int>) { incomplete.formUnion(rowIndices) }

    /// Calls `body` with each row and each target of its own that is there.
    func forEach(_ body: (_ row: Int, _ target: Int) -> Void) {
        for (row, target) in (targets ?? []).enumerated() where target >= 0 { body(row, Int(target)) }
        for link in links ?? [] where link.target >= 0 { body(Int(link.row), Int(link.target)) }
    }
}
