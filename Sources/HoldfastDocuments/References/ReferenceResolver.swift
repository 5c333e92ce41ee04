import Foundation
import Holdfast

/// The references that were decoded and lead to documents that are still to be loaded, and the objects that were.
///
/// `@unchecked Sendable`: a decoder's `userInfo` asks for it, and one load keeps it to itself.
final class ReferenceResolver: @unchecked Sendable {
    static let userInfoKey = DocumentCoding.userInfoKey("resolver")

    /// An object to be decoded from the document with a name.
    private struct Expectation: Hashable {
        let name: DocumentName
        let type: ObjectIdentifier
    }

    /// Decodes the object from its document, and fills in what waits for it; from nil, if there is none.
    private typealias Decode = (ReferenceResolver, Document?) throws -> Void

    /// What fills in objects of a type, and the object once it is there.
    private final class Expected<Object: DocumentObject> {
        var places: [(Object?) -> Void] = []
        /// The object, or nil if there is none; nil before it was looked for.
        var found: Object??
    }

    private var expected: [Expectation: AnyObject] = [:]
    private var waiting: [(name: DocumentName, decode: Decode)] = []

    /// Has a place filled in with the object of a key, now or once it is loaded.
    func expect<Object: DocumentObject>(_ type: Object.Type, key: String, _ fill: @escaping (Object?) -> Void) {
        let name = DocumentName(table: Object.documentTable, key: key)
        let expectation = Expectation(name: name, type: ObjectIdentifier(type))
        if let known = expected[expectation] as? Expected<Object> {
            if let found = known.found { fill(found) } else { known.places.append(fill) }
            return
        }
        let new = Expected<Object>()
        new.places = [fill]
        expected[expectation] = new
        waiting.append(
            (
                name,
                { resolver, document in
                    let object = try document.map {
                        try DocumentCoding.decode(Object.self, from: $0, references: resolver)
                    }
                    new.found = .some(object)
                    for place in new.places { place(object) }
                    new.places = []
                }
            ))
    }

    /// Loads objects, and all to which their references lead, a level at a time.
    func load(in context: some DatabaseContext) async throws {
        while !waiting.isEmpty {
            let level = waiting
            waiting = []
            // By their bytes, as documents are.
            let tables = Dictionary(grouping: Set(level.map(\.name))) { DocumentName(table: $0.table, key: "") }
            var documents: [DocumentName: Document] = [:]
            for (table, names) in tables.sorted(by: { $0.key < $1.key }).map({ ($0.key.table, $0.value) }) {
                for document in try await context.documents[table].documents(names.map(\.key)) {
                    documents[DocumentName(table: table, key: document.key)] = document
                }
            }
            for (name, decode) in level { try decode(self, documents[name]) }
        }
    }
}
