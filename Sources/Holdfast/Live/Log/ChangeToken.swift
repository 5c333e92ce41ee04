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
    let position: String
    /// What is being read up to, if part of that was read: the number of the last entry, and the position of the end.
    let partial: Partial?

    struct Partial: Hashable, Sendable {
        var number: Int64
        var end: String
    }

    init(identity: String, position: String, partial: Partial? = nil) {
        (self.identity, self.position, self.partial) = (identity, position, partial)
    }
}

extension ChangeToken: LosslessStringConvertible {
    /// Reads a token from its ``description``; nil if the text is none.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 3 where parts[0] == "1":
            self.init(identity: parts[1], position: parts[2])
        case 5 where parts[0] == "1":
            guard let number = Int64(parts[3]) else { return nil }
            self.init(identity: parts[1], position: parts[2], partial: Partial(number: number, end: parts[4]))
        default: return nil
        }
    }

    /// The token as text, to be kept.
    public var description: String {
        let start = "1/\(identity)/\(position)"
        return partial.map { "\(start)/\($0.number)/\($0.end)" } ?? start
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
