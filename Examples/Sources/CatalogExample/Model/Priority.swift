import Holdfast

/// How important it is to have a package installed.
///
/// The index may hold a word that Debian's policy does not know. It is kept as it is, which is why this is not an enum
/// with plain string cases.
enum Priority: Hashable, Sendable {
    case required
    case important
    case standard
    case optional
    case extra
    case other(String)
}

extension Priority: RawRepresentable {
    /// The word in the index.
    var rawValue: String {
        switch self {
        case .required: "required"
        case .important: "important"
        case .standard: "standard"
        case .optional: "optional"
        case .extra: "extra"
        case .other(let word): word
        }
    }

    /// Creates the priority of that word; every word is one.
    init(rawValue: String) {
        switch rawValue {
        case "required": self = .required
        case "important": self = .important
        case "standard": self = .standard
        case "optional": self = .optional
        case "extra": self = .extra
        default: self = .other(rawValue)
        }
    }
}

extension Priority: Storable {}

extension Priority: Encodable {}
