/// The objects of a type that become objects of another type, in another layout or another database.
///
/// ```swift
/// ObjectImport(OldPerson.self, as: Person.self, renaming: ["firstName": "name"], leavingOut: ["shoeSize"])
/// ```
///
/// ``Database/importObjects(from:_:batchSize:missingTarget:)`` takes a list of them.
public struct ObjectImport: Sendable {
    let pair: any ImportPair

    /// Creates an import of all objects of a type, or of some.
    ///
    /// Properties correspond by their Swift names. Values convert as in ``TableObject/init(values:)``, whatever their
    /// storages; relations lead to what their targets became, which is found by its key. So the key has to correspond,
    /// too. An inverse relation of the source is passed over: it says nothing that its other side does not.
    ///
    /// - Parameters:
    ///   - source: The type that is mapped to the tables that there are.
    ///   - target: The type that its objects become.
    ///   - condition: The objects to be imported; all by default.
    ///   - names: The properties of the target, by those of the source with other names.
    ///   - omitted: The properties of the source that the target does not have.
    ///   - relations: The relations of the source that `setting` looks at, which are loaded for it.
    ///   - setting: Changes the values of an object of the target, by property names, before it is made of them.
    public init<Source: TableObject, Target: TableObject>(
        _ source: Source.Type, as target: Target.Type,
        where condition: (Columns<Source>) -> Condition = { _ in .always }, renaming names: [String: String] = [:],
        leavingOut omitted: [String] = [], loading relations: [String] = [],
        setting: (@Sendable (Source, inout [String: Any?]) throws -> Void)? = nil
    ) {
        pair = TypedImport<Source, Target>(
            condition: condition(Columns()), names: names, omitted: Set(omitted + relations), relations: relations,
            setting: setting)
    }
}

/// The number of objects that an import has inserted.
public struct ImportReport: Hashable, Sendable, CustomStringConvertible {
    /// The number of objects of each type that was imported to, by the name of the type.
    public internal(set) var counts: [String: Int] = [:]

    /// The number of all objects.
    public var total: Int { counts.values.reduce(0, +) }

    public var description: String {
        counts.inOrder { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}

/// An import whose types are known only to itself.
protocol ImportPair: Sendable {
    var source: any TableObject.Type { get }
    var target: any TableObject.Type { get }
    /// Throws if something of the source has no place in the target.
    func check(_ run: ImportRun, at position: Int) throws
    /// Inserts all objects, with the relations to what was imported before.
    func insert(_ run: ImportRun, at position: Int) async throws -> Int
    /// Sets the relations to what was not there yet when the objects were inserted.
    func relate(_ run: ImportRun, at position: Int) async throws
    /// The key that an object of the source has in the target.
    func targetKey(of object: Any) throws -> Key
    /// Fetches objects of the target.
    func targets(_ keys: [Key], in transaction: Transaction, including relations: [String]) async throws -> [Key: Any]
}

/// One import of several types: where from, where to, and how.
struct ImportRun {
    let old: any DatabaseContext
    let new: Transaction
    let pairs: [any ImportPair]
    let batchSize: Int
    let missingTarget: MissingTarget
}
