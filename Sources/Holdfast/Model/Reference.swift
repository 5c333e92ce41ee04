/// A relation that holds a key in place of an object, and loads the object when asked.
///
/// ```swift
/// @Table final class Invoice {
///     var id: Int64?
///     var customer: Reference<Customer>        // "customer_id" … REFERENCES "customer" ("id")
/// }
/// let customer = try await invoice.customer.load(from: db)
/// ```
///
/// A fetch of the invoice reads no customer. A reference made of an object that is new saves it with its holder.
public struct Reference<Model: TableObject> {
    fileprivate enum Content {
        case key(Key)
        case object(Model)
    }

    private let content: Content

    /// Refers to the object that has the key.
    public init(key: some KeyConvertible) { content = .key(key._key) }

    /// Refers to an object, new or saved.
    public init(_ object: Model) where Model: AnyObject { content = .object(object) }

    /// The key of the object referred to; nil while that is new and its key still to be made by the engine.
    public var key: Key? {
        switch content {
        case .key(let key): return key
        case .object(let object):
            // A key that can't be stored is none yet; saving the object says what is wrong with it.
            return try? Model.ownMapping.key(of: object)
        }
    }

    /// The object referred to, as the database holds it now.
    ///
    /// - Returns: The object, with everything that its type's relations reach; nil if its row is gone.
    /// - Throws: ``DatabaseError/Code/notFound`` if the object is new, so has no row yet.
    public func load(from context: some DatabaseContext) async throws -> Model? {
        guard let key else {
            let type = Model.ownDescription.type
            throw DatabaseError(.notFound, "A reference leads to a new \(type), which has no row yet. Save it first.")
        }
        return try await context.find(Model.self, key: key)
    }
}

extension Reference: Sendable where Model: Sendable {}
extension Reference.Content: Sendable where Model: Sendable {}

extension Reference: Equatable {
    /// Whether both have the same key, or refer to one new object.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.key, right.key) {
        case (let left?, let right?): return left == right
        case (nil, nil):
            guard case .object(let one) = left.content, case .object(let other) = right.content else { return false }
            return (one as AnyObject) === (other as AnyObject)
        default: return false
        }
    }
}

extension Reference: ArrayElement {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        .reference(RelationTarget(Model.self, isLazy: true), isNullable: false)
    }

    public static func _arrayShape(_ storage: ValueStorage) -> PropertyShape? {
        .objects(RelationTarget(Model.self, isLazy: true), isOptional: false)
    }

    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        guard let key = try row.referenceKey(at: index, width: Model.ownDescription.keyIndices.count) else {
            throw CellMismatch.null
        }
        return Self(key: key)
    }

    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        guard let array = try row.elementKeys(of: index).map({ Self(key: $0) }) as? [Element] else {
            throw RowFault.notLoaded
        }
        return array
    }

    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool {
        // What can't be had is not absent: reading it says why.
        (try? row.referenceKey(at: index, width: Model.ownDescription.keyIndices.count)) == .some(nil)
    }

    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        switch content {
        case .key(let key): try encoder.encode(key: key, of: Model.ownDescription, at: index)
        case .object(let object): try encoder.encode(related: object, at: index)
        }
    }

    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) { encoder.encodeNoObject(at: index) }

    public static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws {
        for reference in array {
            switch reference.content {
            case .key(let key): try encoder.append(key: key, of: Model.ownDescription, at: index)
            case .object(let object): try encoder.append(related: object, at: index)
            }
        }
    }
}
