/// A place in the change log, from which reading can be resumed, also by another process.
///
/// ```swift
/// let token = try await db.changeToken()    // now
/// try token.description.write(to: file, atomically: true, encoding: .utf8)
/// let later = ChangeToken(try String(contentsOf: file, encoding: .utf8))
/// ```
///
/// Its text is an implementation detail, and belongs to one database. Of two tokens nothing says which is later.
public struct ChangeToken: Hashable, Sendable {
    /// The log that it is of.
    let identity: String
    /// What was committed before this was read.
    var position: String
    /// The latest entry that was there: a log without it is not the one that was read; nil if that is not known.
    let mark: ChangeLogMark?
    /// What is being read up to, if part of that was read: the number of the last entry, and the position of the end.
    var partial: Partial?

    struct Partial: Hashable, Sendable {
        var number: Int64
        var end: String
    }

    init(identity: String, position: String, mark: ChangeLogMark? = nil, partial: Partial? = nil) {
        (self.identity, self.position, self.mark, self.partial) = (identity, position, mark, partial)
    }

    /// What is to be read next.
    var stretch: ChangeLogStretch {
        var stretch = ChangeLogStretch(after: position)
        (stretch.number, stretch.end, stretch.mark) = (partial?.number ?? 0, partial?.end, mark)
        return stretch
    }
}

extension ChangeToken: LosslessStringConvertible {
    /// Reads a token from its ``description``; nil if the text is none.
    public init?(_ description: String) {
        var parts = description.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
        func number(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }
        // The first version has no mark.
        guard let version = parts.popFirst(), version == "1" || version == "2",
            let identity = parts.popFirst(), let position = parts.popFirst()
        else { return nil }
        var mark: ChangeLogMark?
        if version == "2" {
            guard let latest = number(parts.popFirst()), let at = number(parts.popFirst()) else { return nil }
            mark = ChangeLogMark(number: latest, at: at)
        }
        var partial: Partial?
        if !parts.isEmpty {
            guard let last = number(parts.popFirst()), let end = parts.popFirst() else { return nil }
            partial = Partial(number: last, end: end)
        }
        guard parts.isEmpty else { return nil }
        self.init(identity: identity, position: position, mark: mark, partial: partial)
    }

    /// The token as text, to be kept.
    public var description: String {
        let parts =
            [mark == nil ? "1" : "2", identity, position] + (mark.map { ["\($0.number)", "\($0.at)"] } ?? [])
            + (partial.map { ["\($0.number)", $0.end] } ?? [])
        return parts.joined(separator: "/")
    }
}

extension ChangeToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = ChangeToken(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The text is no token of a change log.")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension DatabaseError {
    /// The place behind an entry of the change log that can't be read, if that is the problem: whoever can do without
    /// that change goes on from there.
    ///
    /// ```swift
    /// } catch let error as DatabaseError where error.changeToken != nil {
    ///     token = error.changeToken    // and load what it may have been about
    /// }
    /// ```
    public internal(set) var changeToken: ChangeToken? {
        get { resumption.flatMap { ChangeToken($0) } }
        set { resumption = newValue?.description }
    }
}
