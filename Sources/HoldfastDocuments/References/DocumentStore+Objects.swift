import Foundation
import Holdfast

extension DocumentStore {
    /// Saves an object as the document of its key, and the objects to which its references lead as well, all or none.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - savingReferences: Whether the objects to which its references lead are saved.
    ///   - expiresAt: The instant from which on what is saved is gone; nil if it stays.
    /// - Throws: `DatabaseError.Code.conflict` for two objects with the same key that differ.
    public func save<Object: DocumentObject>(
        _ object: Object, savingReferences: Bool = true, expiresAt: Date? = nil
    ) async throws {
        try await save([object], savingReferences: savingReferences, expiresAt: expiresAt)
    }

    /// Saves objects as the documents of their keys, and those to which their references lead, all or none.
    ///
    /// An object that is given goes before copies of it that references lead to.
    public func save<Object: DocumentObject>(
        _ objects: [Object], savingReferences: Bool = true, expiresAt: Date? = nil
    ) async throws {
        let documents = try ReferenceCollector.documents(
            of: objects, followingReferences: savingReferences, expiresAt: expiresAt)
        _ = try await context.upsert(documents)
    }

    /// Deletes the document of an object, and not those to which its references lead.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func delete<Object: DocumentObject>(_ object: Object) async throws -> Bool {
        try await self[Object.documentTable].delete(object.documentKey)
    }

    /// Loads an object, and all to which its references lead, in one snapshot; nil if there is no such document.
    ///
    /// Documents of a level are loaded at once, by one statement for each table. A reference to a document that is not
    /// there is ``DocumentReference/Target/missing``. Objects of classes are the same instance wherever they are met.
    ///
    /// - Throws: `DatabaseError.Code.decoding` if a document does not fit its type.
    public func load<Object: DocumentObject>(
        _ type: Object.Type = Object.self, _ key: String
    ) async throws -> Object? { try await load(type, [key])[0] }

    /// Loads objects, and all to which their references lead, in one snapshot; nil for each that is not there.
    public func load<Object: DocumentObject>(
        _ type: Object.Type = Object.self, _ keys: [String]
    ) async throws -> [Object?] {
        // A transaction is a snapshot already, or what its isolation makes of one.
        guard let db = context as? Database else { return try await load(keys, in: context) }
        return try await db.read { try await load(keys, in: $0) }
    }

    private func load<Object: DocumentObject>(
        _ keys: [String], in context: some DatabaseContext
    ) async throws -> [Object?] {
        let resolver = ReferenceResolver()
        var objects = [Object?](repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() { resolver.expect(Object.self, key: key) { objects[index] = $0 } }
        try await resolver.load(in: context)
        return objects
    }
}
