/// Digests of everything that a query loaded, to tell whether a later result differs.
///
/// Two results that differ have the same digests with a probability of 2^-64.
struct ResultFingerprint {
    /// The keys of the objects, in their order.
    let keys: [Key]
    /// For each of the objects a digest of its own row, arrays and links.
    private let digests: [Int]
    /// A digest of all rows that were loaded, also of related objects.
    private let whole: Int
    /// What the objects lead to; nil where it is not kept.
    private let related: RelatedRows?

    /// - Parameters:
    ///   - rowIndices: The rows of the objects, in their order.
    ///   - keepsRelated: Whether it can tell afterwards which objects lead to something that has changed.
    init(_ graph: LoadGraph, root: LoadTable, rowIndices: [Int], keepsRelated: Bool = false) throws {
        keys = rowIndices.map { root.description.exposed(root.rows.key(ofRow: $0)) }
        var sums: [(table: String, sum: Int)] = []
        var digests: [Int] = []
        var related = keepsRelated ? RelatedRows(rootRows: rowIndices) : nil
        for table in graph.tables {
            let ofRows = try table.digests(in: graph)
            try related?.add(table, isRoot: table === root, ofRows, in: graph)
            var sum = 0
            for (row, digest) in ofRows.enumerated() {
                var hasher = Hasher()
                hasher.combine(table.rows.key(ofRow: row))
                hasher.combine(digest)
                // Rows come in any order.
                sum &+= hasher.finalize()
            }
            sums.append((table.description.table, sum))
            if table === root { digests = rowIndices.map { ofRows[$0] } }
        }
        self.digests = digests
        self.related = related
        var hasher = Hasher()
        hasher.combine(keys)
        for (table, sum) in sums.inOrder({ $0.table < $1.table }) {
            hasher.combine(table)
            hasher.combine(sum)
        }
        whole = hasher.finalize()
    }

    func isSame(as other: ResultFingerprint) -> Bool { whole == other.whole && keys == other.keys }

    /// The difference to an earlier result; nil stands for none before.
    func difference(from earlier: ResultFingerprint?) -> ResultDifference {
        guard let earlier else { return ResultDifference(inserted: keys) }
        let before = Dictionary(zip(earlier.keys, earlier.digests)) { first, _ in first }
        var difference = ResultDifference(from: earlier.keys, to: keys)
        difference.updated = zip(keys, digests).compactMap { key, digest in
            before[key].flatMap { $0 == digest ? nil : key }
        }
        return difference
    }

    /// The keys of the objects that were in an earlier result, and lead to nothing that has changed since.
    func unchanged(since earlier: ResultFingerprint) -> Set<Key> {
        guard let related, let before = earlier.related else { return [] }
        let changed = related.changedRoots(since: before)
        return Set(zip(keys, changed).lazy.filter { !$1 }.map { $0.0 }).intersection(earlier.keys)
    }
}

extension ResultDifference {
    /// The difference between two lists of keys.
    init(from old: [Key], to new: [Key]) {
        let (before, now) = (Set(old), Set(new))
        removed = old.filter { !now.contains($0) }
        inserted = new.filter { !before.contains($0) }
        let positions = old.indices.map { Int64($0) * JoinTable.stride }
        let diff = ArrayDiff(from: Array(zip(positions, old).map { (position: $0, element: $1) }), to: new)
        moved = diff.inserted.map { new[$0.element] }.filter(before.contains)
    }
}

/// Digests of all rows that were loaded, and which of them leads to which.
private struct RelatedRows {
    private struct Table {
        var keys: [Key]
        var digests: [Int]
        /// The rows that the rows lead to.
        var links: [(row: Int, table: String, target: Int)] = []
    }

    private var tables: [String: Table] = [:]
    private var rootTable = ""
    private let rootRows: [Int]

    init(rootRows: [Int]) { self.rootRows = rootRows }

    mutating func add(_ table: LoadTable, isRoot: Bool, _ digests: [Int], in graph: LoadGraph) throws {
        let name = table.description.table
        if isRoot { rootTable = name }
        var rows = Table(keys: (0..<table.rows.count).map(table.rows.key(ofRow:)), digests: digests)
        for relation in table.columns.relations {
            let target = try graph.table(of: relation.target).description.table
            for link in table[relation].links ?? [] where link.target >= 0 {
                rows.links.append((Int(link.row), target, Int(link.target)))
            }
        }
        tables[name] = rows
    }

    /// For each of the objects whether it, or anything that it leads to, has changed.
    func changedRoots(since earlier: RelatedRows) -> [Bool] {
        var changed: [String: [Bool]] = [:]
        for (name, table) in tables {
            let old = earlier.tables[name]
            let before = Dictionary(zip(old?.keys ?? [], old?.digests ?? [])) { first, _ in first }
            changed[name] = zip(table.keys, table.digests).map { before[$0] != $1 }
        }
        // One level of relations each time.
        var isOver = false
        while !isOver {
            isOver = true
            for (name, table) in tables {
                for link in table.links where changed[link.table]?[link.target] == true {
                    guard changed[name]?[link.row] == false else { continue }
                    changed[name, default: []][link.row] = true
                    isOver = false
                }
            }
        }
        let roots = changed[rootTable] ?? []
        return rootRows.map { roots.indices.contains($0) ? roots[$0] : true }
    }
}

extension LoadTable {
    /// A digest of each row with its arrays and links.
    fileprivate func digests(in graph: LoadGraph) throws -> [Int] {
        var hashers = (0..<rows.count).map { row in
            var hasher = Hasher()
            hasher.combine(ElementKey(UnsafeBufferPointer(start: rows.cells(ofRow: row), count: rows.width)))
            return hasher
        }
        for relation in columns.relations {
            guard let links = self[relation].links else { continue }
            let targets = try graph.table(of: relation.target).rows
            for link in links where link.target >= 0 {
                hashers[Int(link.row)].combine(relation.property)
                hashers[Int(link.row)].combine(targets.key(ofRow: Int(link.target)))
            }
        }
        if let arrayValues {
            for property in columns.elementArrays {
                guard let column = arrayValues.arrayColumns[property] else { continue }
                for row in hashers.indices {
                    hashers[row].combine(property)
                    hashers[row].combine(try column.elementKeys(ofRow: row))
                }
            }
        }
        return hashers.map { $0.finalize() }
    }
}
