import Synchronization

/// The two texts that a column has for a Boolean.
///
/// A ``ValueStorage`` is one byte in each cell, so that pairs are numbered as they occur.
struct WordPair: Hashable, Sendable {
    let `true`: String
    let `false`: String

    /// The code of the first pair.
    static let firstCode: UInt8 = 100
    /// The code of what is no pair: of equal words, or of more pairs than there are codes.
    private static let noCode: UInt8 = 255
    private static let pairs = Mutex<[WordPair]>([])

    /// The code of a pair, a new one at its first use.
    static func code(of pair: WordPair) -> UInt8 {
        guard pair.true != pair.false, !(pair.true + pair.false).utf8.contains(0) else { return noCode }
        return pairs.withLock { pairs in
            if let known = pairs.firstIndex(of: pair) { return firstCode + UInt8(known) }
            guard pairs.count < Int(noCode - firstCode) else { return noCode }
            pairs.append(pair)
            return firstCode + UInt8(pairs.count - 1)
        }
    }

    /// The pair of a code; nil if there is none.
    static func pair(of code: UInt8) -> WordPair? {
        pairs.withLock { pairs in
            let index = Int(code) - Int(firstCode)
            return pairs.indices.contains(index) ? pairs[index] : nil
        }
    }
}
