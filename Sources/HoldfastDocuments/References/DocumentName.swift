/// The table and the key of a document.
struct DocumentName: Hashable {
    let table: String
    let key: String
}
