/// A kind of value in a document.
///
/// ```swift
/// .where { $0.profile.hasJSON("address.city", .null) }
/// ```
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number.
    case number
    /// A text.
    case string
    /// An array.
    case array
    /// An object.
    case object
}
