/// Keeps the instances of a class or a struct in a table.
///
/// ```swift
/// @Table
/// final class Project {
///     var id: Int64?                            // the primary key, by its name; nil until saved
///     var name: String
///     @Unique var code: String?
///     var tags: [String] = []                   // a table of its own, project_tags
///     @Timestamp(.created) var createdAt: Date?
///     @Transient var draft = ""                 // not kept
///     init(name: String) { self.name = name }
/// }
/// // CREATE TABLE "project" ("id" …, "name" …, "code" …, "created_at" …)
/// ```
///
/// Every stored property is kept, in the order of declaration, unless it is marked ``Transient()``; computed and static
/// ones are not. The primary key is what ``PrimaryKey()`` marks, or else the property named `id`. A stored property has a
/// type that is ``Storable`` or `Codable`, or is an optional or an array of such a type.
///
/// A property whose type is itself a table object is a relation: `Person` and `Person?` are foreign keys, `[Meeting]` is a
/// table of links that keeps their order. ``Relation(inverse:deleteRule:loading:)`` says more of one. A class may hold an
/// object weakly, as a child holds its parent; `unowned` is refused.
///
/// ```swift
/// @Table
/// final class Milestone {
///     var id: Int64?
///     var lead: Person?                         // "lead_id" … REFERENCES "person"
///     var meetings: [Meeting] = []              // a table of its own, milestone_meetings
///     weak var project: Project?                // a foreign key, too
/// }
/// ```
///
/// A class gets a hidden tracker, which sees what changes, so that a save writes only that; a struct gets nothing hidden,
/// and keeps its memberwise initializer. A class without an initializer keeps its `init()`.
///
/// A type that declares one of the methods of ``TableHooks`` in its body conforms to that protocol as well. State the
/// conformance yourself for hooks that are declared in an extension.
///
/// A class that is not final can be extended by classes that name it. Each has a table of its own, with the inherited columns
/// first: a fetch of `Animal` returns animals that are no mammals, and a relation to `Animal` holds no mammals. The class at
/// the top declares the key; each class has names and indexes of its own.
///
/// ```swift
/// @Table class Animal {
///     var id: Int64?
///     var name: String
///     init(name: String) { self.name = name }
/// }
/// @Table(inherits: Animal.self, indexes: [.index("name", "legs")])
/// class Mammal: Animal {
///     var legs = 4
/// }
/// // CREATE TABLE "mammal" ("id" …, "name" …, "legs" …)
/// ```
///
/// A subclass without an initializer of its own inherits those of its superclass, as always. Hooks of a class that is not
/// final are declared in its body, and its subclasses override them, those that it doesn't declare as well.
///
/// Names in the database are given here, or follow from the Swift names:
///
/// ```swift
/// @Table("PROJECTS", naming: .asDeclared, indexes: [.index("name", "startDate"), .unique("code", "owner")])
/// struct Project { … }
/// ```
///
/// The macro expands to a ``TableMapping``, which can be written by hand for a type that can't carry an attribute.
///
/// - Parameters:
///   - name: The table's name, where it is not made of the type's.
///   - superclass: The class that this one extends, if that has `@Table` as well.
///   - naming: How names in the database are made of Swift names.
///   - indexes: Indexes and unique keys over several properties, by the properties' names.
@attached(
    member,
    names: named(_$changes), named(init), named(tableMapping), named(_$Table), named(_hasHooks), named(willSave),
    named(didSave), named(willDelete), named(didDelete), named(didFetch), named(afterCommit),
    named(defaultOrder)
)
@attached(memberAttribute)
@attached(extension, conformances: TableObject, TableHooks, names: named(init))
public macro Table(
    _ name: String? = nil, inherits superclass: (any TableObject.Type)? = nil, naming: Naming = .snakeCase,
    indexes: [TableIndex] = []
) = #externalMacro(module: "HoldfastMacros", type: "TableMacro")

/// Makes a property the primary key of its model, or part of it.
///
/// Without it, the property named `id` is the key. An `Int64?` gets its value from the engine when the object is inserted;
/// any other key is given by the caller. Several marked properties are the key together, in the order of declaration.
///
/// ```swift
/// @Table struct Membership {
///     @PrimaryKey let team: Int64
///     @PrimaryKey let member: Int64
///     var since: Date
/// }
/// // PRIMARY KEY ("team", "member")
/// ```
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "HoldfastMacros", type: "PrimaryKeyMacro")

/// Names the column of a property, or says how it lays the value out.
///
/// ```swift
/// @Column("legacy_note") var note: String?
/// @Column(storage: .secondsSince2001) var created: Date?
/// ```
///
/// - Parameters:
///   - name: The name of the column (of an array: of its table), where it is not made of the property's.
///   - storage: How the column lays the value out, where that is not the engine's own way.
@attached(peer)
public macro Column(_ name: String? = nil, storage: ValueStorage? = nil) =
    #externalMacro(module: "HoldfastMacros", type: "ColumnMacro")

/// Leaves a property out of the table.
///
/// It must have a default value, since an object that is loaded has no other for it.
///
/// ```swift
/// @Transient var draft = ""
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "HoldfastMacros", type: "TransientMacro")

/// Gives the column of a property an index, so that conditions and orders on it are fast.
///
/// ```swift
/// @Indexed var startDate: Date?
/// ```
///
/// Indexes over several properties are an argument of ``Table(_:inherits:naming:indexes:)``.
@attached(peer)
public macro Indexed() = #externalMacro(module: "HoldfastMacros", type: "IndexedMacro")

/// Refuses two objects with the same value of a property; any number may have nil.
///
/// ```swift
/// @Unique var code: String?
/// ```
///
/// A save that would break it throws ``DatabaseError/Code/uniqueViolation``. Unique keys over several properties are an
/// argument of ``Table(_:inherits:naming:indexes:)``.
@attached(peer)
public macro Unique() = #externalMacro(module: "HoldfastMacros", type: "UniqueMacro")

/// Refuses nil in the column of an optional property.
///
/// For what is not known when an object is made, and must be when it is saved:
///
/// ```swift
/// @Required var owner: String?
/// // "owner" TEXT NOT NULL
/// ```
@attached(peer)
public macro Required() = #externalMacro(module: "HoldfastMacros", type: "RequiredMacro")

/// Says how a property is related to the objects that it holds.
///
/// ```swift
/// @Relation(deleteRule: .cascade) var milestones: [Milestone] = []
/// @Relation(inverse: \Task.project) var tasks: [Task] = []          // the tasks hold the key: task.project_id
/// @Relation(loading: .onDemand) var related: [Project] = []
/// ```
///
/// The property's type is a table object, or an optional or an array of one. What isn't written here is as it is for a
/// relation without this attribute.
///
/// The other side of a relation is stored by the objects that it holds, so it has no column to name, to index or to make
/// unique. Of a relation that is loaded on demand an object has to remember whether it is: it is a class's, and has a value
/// before, which is nil or an empty array.
///
/// - Parameters:
///   - inverse: The property of the related type that holds the key, of which this one is the other side: then nothing
///     is stored for this one.
///   - deleteRule: What becomes of the related objects when the object is deleted.
///   - loading: When the related objects are loaded.
@attached(peer)
public macro Relation(
    inverse: AnyKeyPath? = nil, deleteRule: DeleteRule = .nullify, loading: RelationLoading = .eager
) = #externalMacro(module: "HoldfastMacros", type: "RelationMacro")

/// Sets a property of type `Date` or `Date?` to the time at which its object is inserted, or saved with changes.
///
/// ```swift
/// @Timestamp(.created) var createdAt: Date?
/// @Timestamp(.modified) var modifiedAt: Date?
/// ```
///
/// - Parameter kind: Which time to keep.
@attached(peer)
public macro Timestamp(_ kind: TimestampKind) = #externalMacro(module: "HoldfastMacros", type: "TimestampMacro")

/// Counts the updates of an object's row, so that two that read it and then change it do not undo each other's changes.
///
/// ```swift
/// @Version var version = 0
/// ```
///
/// It is inserted as it is. Each update counts it up, and finds the row only by the version that the object knows:
///
/// ```sql
/// UPDATE "page" SET "text" = $1, "version" = $2 WHERE "id" = $3 AND "version" = $4
/// ```
///
/// Where another changed the row since, saving and deleting the object throw ``DatabaseError/Code/staleVersion``,
/// and change nothing; ``DatabaseError/currentObject(_:)`` is what the database has. A change of the object's arrays counts; one that the
/// other side of a relation keeps does not, nor that the other side lets go of an object. Updates by a query and upserts count
/// it up whatever it is.
///
/// It is an `Int` or another integer that is never nil, one of each type. A struct that was saved in a transaction which
/// then rolled back has a version that its row has not: save the value that you had before.
@attached(peer)
public macro Version() = #externalMacro(module: "HoldfastMacros", type: "VersionMacro")

/// Leaves an object out when it is read, if it lacks this property: an optional that is NULL in its row, or an array without
/// elements.
///
/// ```swift
/// @OmitIfMissing var title: String?
/// @OmitIfMissing var chapters: [Chapter] = []
/// ```
///
/// An object that refers to one that is left out is left out as well, as far as references are loaded; an array leaves it
/// out, and its owner too if the array is marked, or if the owner can't remember what it lacks, as a struct. An array that
/// leaves something out counts as not loaded, so that no save loses it.
///
/// Nothing is deleted. Queries count, page and give the keys of what is left; their values, aggregates, updates and
/// deletions are about all rows. Without the mark, nil is a value like others, and where it is none, reading it throws.
@attached(peer)
public macro OmitIfMissing() = #externalMacro(module: "HoldfastMacros", type: "OmitIfMissingMacro")

/// Marks the property at `index` as changed when it is set: what ``Table(_:inherits:naming:indexes:)`` puts on those of a class.
@attached(accessor, names: named(didSet), named(willSet))
public macro _Tracked(_ index: Int) = #externalMacro(module: "HoldfastMacros", type: "TrackedMacro")

/// Marks a property of a subclass, which comes at `index` after those that it inherits.
@attached(accessor, names: named(didSet), named(willSet))
public macro _Tracked(afterInherited index: Int) = #externalMacro(module: "HoldfastMacros", type: "TrackedMacro")
