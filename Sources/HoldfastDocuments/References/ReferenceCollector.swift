import Foundation
import Holdfast

/// The objects to which references lead while objects are encoded, and their documents.
///
/// `@unchecked Sendable`: an encoder's `userInfo` asks for it, and `encode` keeps it to itself.
final class ReferenceCollector: @unchecked Sendable {
    static let userInfoKey = DocumentCoding.userInfoKey("collector")

    private var waiting: [any DocumentObject] = []
    /// The objects of classes, and the places of references, that were met, by identity.
    ///
    /// They are kept, so that their identities stay theirs.
    private var met: [ObjectIdentifier: AnyObject] = [:]
    private var documents: [DocumentName: Document] = [:]
    /// The objects that were given, which go before copies of them that references lead to.
    private let given: Set<DocumentName>
    private let followsReferences: Bool

    private init<Object: DocumentObject>(_ objects: [Object], followsReferences: Bool) {
        given = Set(objects.map { DocumentName(table: Object.documentTable, key: $0.documentKey) })
        self.followsReferences = followsReferences
        waiting = objects
    }

    /// The documents of objects, and of those to which their references lead.
    ///
    /// - Throws: `DatabaseError.Code.conflict` for two objects with the same key that differ.
    static func documents<Object: DocumentObject>(
        of objects: [Object], followingReferences: Bool, expiresAt: Date?
    ) throws -> [Document] {
        let collector = ReferenceCollector(objects, followsReferences: followingReferences)
        // However long a chain of references is, it takes no stack.
        while let next = collector.waiting.popLast() { try collector.encode(next, expiresAt) }
        let documents = collector.documents.sorted { $0.key < $1.key }.map(\.value)
        for document in documents { try document.requireKey() }
        return documents
    }

    /// Notes an object that a reference leads to, unless it was given, or met as such or in its place.
    ///
    /// - Parameter place: The place that the reference shares with its copies.
    func collect<Object: DocumentObject>(_ object: Object, in place: AnyObject) {
        guard followsReferences,
            !given.contains(DocumentName(table: Object.documentTable, key: object.documentKey)),
            met.updateValue(place, forKey: ObjectIdentifier(place)) == nil
        else { return }
        if Object.self is any AnyObject.Type {
            let instance = object as AnyObject
            if met.updateValue(instance, forKey: ObjectIdentifier(instance)) != nil { return }
        }
        waiting.append(object)
    }

    private func encode<Object: DocumentObject>(_ object: Object, _ expiresAt: Date?) throws {
        let name = DocumentName(table: Object.documentTable, key: object.documentKey)
        let document = Document(
            try DocumentCoding.encode(object, references: self), table: name.table, key: name.key, expiresAt: expiresAt)
        if let other = documents.updateValue(document, forKey: name), other.value != document.value {
            throw DatabaseError(
                .conflict,
                "Two objects of the type \(Object.self) that are to be saved have the same key, and differ.",
                table: Document.databaseTable)
        }
    }
}
