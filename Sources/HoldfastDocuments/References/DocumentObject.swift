/// A `Codable` type whose values are documents of their own, also where others hold them.
///
/// ```swift
/// final class Person: DocumentObject {
///     static let documentTable = "people"
///     var documentKey: String
///     var name: String
///     var employer: DocumentReference<Company>?
///     var friends: [DocumentReference<Person>] = []
/// }
/// try await db.documents.save(ann)                             // with those to which its references lead
/// let ann = try await db.documents.load(Person.self, "ann")    // as well
/// print(ann?.employer?.object?.name)
/// ```
///
/// What others hold by a ``DocumentReference`` is kept by its key. Held without one, it is a part of their own
/// document.
public protocol DocumentObject: Codable {
    /// The name of the table that has the documents of the type.
    static var documentTable: String { get }
    /// The key of the document.
    var documentKey: String { get }
}
