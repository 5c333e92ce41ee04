/// One paragraph of a package index: the fields of one package.
struct Stanza {
    /// A field's name, and the place of its value in the stanza's bytes.
    struct Field {
        /// The name in small letters: `installed-size`.
        let name: String

        /// From behind the colon to the end of the value's last line.
        var value: Range<Int>

        /// The line of the field's name, counted from 1.
        let line: Int
    }

    /// The stanza's lines, each with its newline; every one is UTF-8.
    var bytes: [UInt8] = []
    var fields: [Field] = []

    /// The line of the first field.
    var firstLine: Int { fields.first?.line ?? 1 }

    /// The field of that name, in whatever case its letters are.
    func field(_ name: String) -> Field? {
        let name = name.lowercased()
        for field in fields where field.name == name { return field }
        return nil
    }

    func text(at range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
