/// The candidates that someone who wrote `name` may have meant, best first, at most three.
package func nearMisses(of name: String, among candidates: [String]) -> [String] {
    let wanted = name.lowercased().filter { $0 != "_" }
    let limit = max(1, wanted.count / 3)
    let scored = candidates.compactMap { candidate -> (name: String, distance: Int)? in
        let other = candidate.lowercased().filter { $0 != "_" }
        let distance = editDistance(Array(wanted), Array(other))
        return distance <= limit ? (candidate, distance) : nil
    }
    return scored.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
private func editDistance(_ source: [Character], _ target: [Character]) -> Int {
    var rows = [Array(0...target.count)]
    for row in 0..<source.count {
        var current = [row + 1]
        for column in 0..<target.count {
            let substitution = rows[row][column] + (source[row] == target[column] ? 0 : 1)
            var best = min(substitution, rows[row][column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
                best = min(best, rows[row - 1][column - 1] + 1)
            }
            current.append(best)
        }
        rows.append(current)
    }
    return rows[source.count][target.count]
}
