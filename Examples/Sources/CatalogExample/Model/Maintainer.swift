import Holdfast

/// Whoever takes care of packages: a person or a team.
///
/// The engine makes the key. The same name with the same address is one object, to which all their packages lead.
@Table(indexes: [.unique("name", "mail")])
final class Maintainer {
    var id: Int64?
    var name: String

    /// The mail address, if the index gives one in angle brackets.
    var mail: String?

    /// Creates the maintainer of a field such as `Ada Lovelace <ada@example.org>`.
    ///
    /// What has another form is a name as a whole, so that ``contact`` always is the text of the index.
    init(contact: String) {
        name = contact
        guard contact.utf8.last == UInt8(ascii: ">"), let bracket = contact.utf8.lastIndex(of: UInt8(ascii: "<")),
            contact[..<bracket].utf8.count > 1, contact[..<bracket].utf8.last == UInt8(ascii: " ")
        else { return }
        let utf8 = contact.utf8
        name = String(contact[..<utf8.index(before: bracket)])
        mail = String(contact[utf8.index(after: bracket)..<utf8.index(before: utf8.endIndex)])
    }
}

extension Maintainer {
    /// Name and address, as the index has them.
    var contact: String { mail.map { "\(name) <\($0)>" } ?? name }
}

extension Maintainer: Encodable {
    private enum CodingKeys: String, CodingKey { case name, mail }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(mail, forKey: .mail)
    }
}
