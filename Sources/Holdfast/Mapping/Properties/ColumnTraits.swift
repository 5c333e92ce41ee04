/// What columns are declared to be, of a value or of a reference.
struct ColumnTraits: Sendable {
    /// Whether values are unique.
    var isUnique = false
    /// Whether there is an index of its own.
    var isIndexed = false
    /// Whether it is NOT NULL although the property is optional.
    var isRequired = false
}
