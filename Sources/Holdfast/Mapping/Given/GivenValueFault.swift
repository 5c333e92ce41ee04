/// Why a value that a dictionary gives is no value of a property; it carries no value.
enum GivenValueFault: Error {
    case null
    case type(given: String, needed: String)
    case json(given: String, needed: String)
    case relation
    case key(of: String)

    static func type(of given: Any, needed: Any.Type) -> GivenValueFault {
        .type(given: "\(Swift.type(of: given))", needed: "\(needed)")
    }

    /// The reason, to follow the words "The value given for … ".
    var sentence: String {
        switch self {
        case .null: "is nil, which the property can't be"
        case .type(let given, let needed): "is of type \(given), but the property is of type \(needed)"
        case .json(let given, let needed): "is \(given), but the property needs \(needed)"
        case .relation: "is an object, which no dictionary gives"
        case .key(let type): "is no key of a saved \(type)"
        }
    }
}
