/// What a connection was borrowed for, as timeouts and refusals name it.
///
/// It is made of static strings alone: making one costs no allocation, and no stored or bound value can find its
/// way through it into a message.
struct LeasePurpose: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// One or two words: `transaction`, `stream`.
    let name: StaticString
    /// The `#fileID` of the caller, where the operation takes it.
    let fileID: StaticString?
    /// The line in ``fileID``.
    let line: UInt

    init(_ name: StaticString, fileID: StaticString? = nil, line: UInt = 0) {
        self.name = name
        self.fileID = fileID
        self.line = line
    }

    init(stringLiteral name: StaticString) { self.init(name) }

    var description: String { fileID.map { "\(name) at \($0):\(line)" } ?? "\(name)" }
}
