/// One change of a value inside a document.
struct JSONEdit: Sendable {
    let path: JSONPath
    /// The JSON that is set; nil if what is there is removed.
    let value: QueryNode?
}
