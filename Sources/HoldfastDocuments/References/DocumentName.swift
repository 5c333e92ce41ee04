import Holdfast

/// The table and the key of a document, compared by their bytes: Swift takes some texts for equal whose bytes differ.
struct DocumentName: Hashable, Comparable {
    let table: String
    let key: String

    static func == (left: DocumentName, right: DocumentName) -> Bool {
        left.table.utf8.elementsEqual(right.table.utf8) && left.key.utf8.elementsEqual(right.key.utf8)
    }

    static func < (left: DocumentName, right: DocumentName) -> Bool {
        left.table.utf8.elementsEqual(right.table.utf8)
            ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
            : left.table.utf8.lexicographicallyPrecedes(right.table.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in table.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0))
        for byte in key.utf8 { hasher.combine(byte) }
    }
}

extension DocumentName: _ValuesHidden {}
