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

    /// - Parameter rowIndices: The rows of the objects, in their order.
    init(_ graph: LoadGraph, root: LoadTable, rowIndices: [Int]) throws {
        keys = rowIndices.map { root.description.exposed(root.rows.key(ofRow: $0)) }
        var sums: [(table: String, sum: Int)] = []
        var digests: [Int] = []
        for table in graph.tables {
            let ofRows = try table.digests(in: graph)
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
        var hasher = Hasher()
        hasher.combine(keys)
        for (table, sum) in sums.sorted(by: { $0.table < $1.table }) {
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
        let now = Set(keys)
        var difference = ResultDifference()
        difference.removed = earlier.keys.filter { !now.contains($0) }
        difference.inserted = keys.filter { before[$0] == nil }
        difference.updated = zip(keys, digests).compactMap { key, digest in
            before[key].flatMap { $0 == digest ? nil : key }
        }
        let positions = earlier.keys.indices.map { Int64($0) * JoinTable.stride }
        let diff = ArrayDiff(from: Array(zip(positions, earlier.keys).map { (position: $0, element: $1) }), to: keys)
        difference.moved = diff.inserted.map { keys[$0.element] }.filter { before[$0] != nil }
        return difference
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
