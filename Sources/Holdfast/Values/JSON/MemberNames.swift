/// The names that an object of a JSON text has had so far.
///
/// Most objects have few names, of ASCII and without escapes: their bytes are compared where they are, in place of
/// making a `String` of each.
struct MemberNames {
    private static let fewNames = 16

    private var plain: [UnsafeRawBufferPointer] = []
    /// The names once they are many, or one of them is not plain.
    private var all: Set<String>?

    /// Adds a name of ASCII without escapes, whose bytes outlive this.
    ///
    /// - Returns: Whether it was not there yet.
    mutating func insert(plain name: UnsafeRawBufferPointer) -> Bool {
        if all == nil, plain.count < Self.fewNames {
            if plain.contains(where: { $0.count == name.count && $0.elementsEqual(name) }) { return false }
            plain.append(name)
            return true
        }
        return insert(String(decoding: name, as: UTF8.self))
    }

    /// Adds a name.
    ///
    /// - Returns: Whether it was not there yet.
    mutating func insert(_ name: String) -> Bool {
        var names = all.take() ?? Set(plain.map { String(decoding: $0, as: UTF8.self) })
        defer { all = names }
        return names.insert(name).inserted
    }
}
