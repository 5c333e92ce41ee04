import Holdfast

/// Who takes care of packages.
@Table(indexes: [.unique("name", "mail")])
final class Maintainer {
    var id: Int64?
    var name: String
    var mail: String?

    init(name: String, mail: String?) {
        self.name = name
        self.mail = mail
    }
}
