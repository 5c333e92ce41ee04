/// A relation that holds a key instead of an object, and loads the object on request.
///
/// ```swift
/// @Table final class Invoice {
///     var id: Int64?
///     var customer: Reference<Customer>        // "customer_id" … REFERENCES "customer" ("id")
/// }
/// let customer = try await invoice.customer.load(from: db)
/// ```
///
/// Fetching the invoice reads no customer. If you create a reference from a new object, saving the holder saves that
/// object too.
public struct Reference<Model: TableObject> {
    fileprivate enum Content {
        case key(Key)
        case object(Model)
    }

    private let content: Content
    #if DEBUG
    /// The fetch that gave it; it takes no part in equality.
    private(set) var origin: LoadOrigin?
    #endif

    /// Creates a reference to the object with a key.
    ///
    /// ```swift
    /// invoice.customer = Reference(key: 7)
    /// ```
    public init(key: some KeyConvertible) { content = .key(key._key) }

    /// Creates a reference to a new or saved object.
    ///
    /// ```swift
    /// invoice.customer = Reference(customer)
    /// ```
    public init(_ object: Model) where Model: AnyObject { content = .object(object) }

    /// Creates a reference to the object with a key that a row has.
    private init(fetched key: Key) {
        content = .key(Model.ownDescription.exposed(key))
        #if DEBUG
        origin = LoadOrigin.current
        #endif
    }

    /// The key of the target; nil while the target is new and the engine has not generated its key.
    public var key: Key? {
        switch content {
        case .key(let key): return Model.ownDescription.exposed(Model.ownDescription.canonical(key))
        case .object(let object):
            // A key that can't be stored is none yet; saving the object says what is wrong with it.
            return (try? Model.ownMapping.key(of: object)).map { Model.ownDescription.exposed($0) }
        }
    }
}

extension Reference: Sendable where Model: Sendable {}
extension Reference.Content: Sendable where Model: Sendable {}

extension Reference: Equatable {
    /// Whether both have the same key, or the same new object.
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
        return Self(fetched: key)
    }

    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        let keys = try row.elementKeys(of: index)
        guard let array = keys.map({ Self(fetched: $0) }) as? [Element] else {
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

    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try value.map { try keyRows(of: [$0]) } }
    }

    public static func _originalArray(_ array: [Self]?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try array.map { try keyRows(of: $0) } }
    }

    /// The keys that references hold, a row each; NULLs for those of new objects.
    private static func keyRows(of references: [Self]) throws -> ParameterBuffer {
        let (mapping, target) = (Model.ownMapping, Model.ownDescription)
        var rows = ParameterBuffer(width: target.keyIndices.count)
        for reference in references {
            switch reference.content {
            case .key(let key): rows.appendRow(0, of: try target.parameters(of: target.canonical(key)))
            case .object(let object): rows.appendRow(0, of: try mapping.keyRow(of: object))
            }
        }
        return rows
    }
}
