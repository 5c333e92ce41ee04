/// A text as a key, compared byte by byte as a database does.
struct ByteString: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension ByteString: Hashable {
    static func == (left: ByteString, right: ByteString) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    // What has the same bytes is the same for String, so has its hash.
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
