/// The behaviour of a fetch where a key leads to no row, in databases whose foreign keys were not enforced.
public enum MissingTarget: Sendable {
    /// The fetch throws ``DatabaseError/Code/notFound``, with table and property: the default.
    case `throw`
    /// A reference is nil, and an array leaves the object out. Where nil is no value, the fetch throws.
    case `nil`
    /// The object whose reference leads nowhere is left out itself: of the result, of arrays, and of references to it.
    /// An array leaves out what it leads to and is not there.
    case skip
}
