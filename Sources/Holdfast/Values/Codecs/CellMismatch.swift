/// Why a cell and a value do not fit each other; whoever knows the property makes a ``DatabaseError`` of it.
///
/// It carries no value.
public enum CellMismatch: Error, Hashable, Sendable {
    /// NULL where a value is needed.
    case null
    /// A cell of another kind than the property's type can be read from.
    case kind(Cell.Kind, expected: String)
    /// A value that is not what is named here: `a number from 0 to 255`.
    case invalid(String)

    /// The reason, to follow the words "The value of … ".
    var sentence: String {
        switch self {
        case .null: "is NULL, but the property can't be nil"
        case .kind(let kind, let expected): "is of kind \(kind), but the property needs \(expected)"
        case .invalid(let expected): "is not \(expected)"
        }
    }
}
