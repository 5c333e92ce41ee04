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
/// ones are not. The primary key is what ``PrimaryKey(_:)`` marks, or else the property named `id`. A stored property
/// has a type that is ``Storable`` or `Codable`, or is an optional or an array of such a type.
///
/// A property whose type is itself a table object is a relation: `Person` and `Person?` are foreign keys, `[Meeting]`
/// is a join table that keeps the order of its elements. Options of a relation are set with
/// ``Relation(inverse:references:deleteRule:loading:joinTable:order:orphans:foreignKey:)``. A class may hold an object
/// weakly, as a child holds its parent; `unowned` is refused.
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
/// A class gets a hidden tracker, which sees what changes, so that a save writes only that; a struct gets nothing
/// hidden, and keeps its memberwise initializer. A class without an initializer keeps its `init()`.
///
/// A type that declares one of the methods of ``TableHooks`` in its body conforms to that protocol as well. State the
/// conformance yourself for hooks that are declared in an extension.
///
/// A class that is not final can be extended by classes that name it. Each has a table of its own, with the inherited
/// columns first: a fetch of `Animal` returns animals that are no mammals, and a relation to `Animal` holds no mammals.
/// The class at the top declares the key; each class has names and indexes of its own.
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
/// A subclass without an initializer of its own inherits those of its superclass, as always. Declare the
/// hooks of a class that is not final in its body. Subclasses write `override`, even for hooks that the class does not
/// declare.
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
///   - schema: The schema of PostgreSQL, or the attached file of SQLite, that the table is in, where it is not the one
///     in which `migrate` makes tables. Such a table has to exist: `migrate` looks at it, and leaves it as it is.
///   - name: The table's name, where it is not made of the type's.
///   - superclass: The class that this one extends, if that has `@Table` as well.
///   - renamedFrom: The former names of the type or of its table, the latest first. Where a database has such a table
///     and none of the new name, `migrate` renames it, with all that is named after it.
///   - naming: How names in the database are made of Swift names.
///   - readOnly: Whether objects are only read, as those of a view: no operation writes them, and `migrate` makes
///     nothing for them.
///   - log: What the change log keeps of the table: `true` for which rows and columns change, `.oldValues` for what
///     they held before as well. See <doc:ChangeLog>.
///   - indexes: Indexes and unique keys over several properties, by the properties' names.
///   - checks: Conditions that all rows meet, by CHECK constraints.
///   - search: The properties of a full text search, by their names: `String` or `String?`. See <doc:Searching>.
///   - scopes: Conditions of the objects that reads see, unless they ignore them by name. See <doc:Scopes>.
@attached(
    member,
    names: named(_$changes), named(init), named(tableMapping), named(_$Table), named(_hasHooks), named(willSave),
    named(didSave), named(willDelete), named(didDelete), named(didFetch), named(afterCommit),
    named(defaultOrder)
)
@attached(memberAttribute)
@attached(extension, conformances: TableObject, TableHooks, names: named(init))
public macro Table(
    schema: String? = nil, _ name: String? = nil, inherits superclass: (any TableObject.Type)? = nil,
    renamedFrom: FormerNames = [], naming: Naming = .snakeCase, readOnly: Bool = false, log: TableLog = .none,
    indexes: [TableIndex] = [], checks: [TableCheck] = [], search: [String] = [],
    scopes: [TableScope] = []
) = #externalMacro(module: "HoldfastMacros", type: "TableMacro")

/// Makes a property the primary key of its model, or part of it.
///
/// Without it, the property named `id` is the key. The engine generates the value of an `Int64?` when the object is
/// inserted; you set any other key. Several marked properties form one key, in the order of declaration.
///
/// ```swift
/// @Table struct Membership {
///     @PrimaryKey let team: Int64
///     @PrimaryKey let member: Int64
///     var since: Date
/// }
/// // PRIMARY KEY ("team", "member")
/// ```
///
/// `.database` says that the database makes keys of another type, by an identity, a sequence, a default or a trigger.
/// The property is an optional, nil until the object is saved: the insertion leaves its column out, and takes the value
/// from the row.
///
/// ```swift
/// @PrimaryKey(.database) var id: UUID?
/// // "id" uuid DEFAULT gen_random_uuid() PRIMARY KEY
/// ```
///
/// - Parameter source: Who makes the key; nil for what its type says.
@attached(peer)
public macro PrimaryKey(_ source: KeySource? = nil) = #externalMacro(module: "HoldfastMacros", type: "PrimaryKeyMacro")

/// Names the column of a property, tells what it was called before, chooses its storage, restricts its values, or says
/// that the database computes it.
///
/// ```swift
/// @Column("legacy_note") var note: String?
/// @Column(renamedFrom: "title") var headline: String
/// @Column(storage: .secondsSince2001) var created: Date?
/// @Column(check: .cases) var status = Status.planned    // CHECK ("status" IN ('planned', 'running', 'done'))
/// @Column(generated: true) var total: Decimal = 0    // "total" numeric GENERATED ALWAYS AS (…) STORED
/// @Column(loading: .onDemand) var file: Data?        // in no SELECT, until `loadColumn` or a query asks for it
/// ```
///
/// A generated column is read, and is in no INSERT or UPDATE. After a save, the object holds what it held before, until
/// you `reload` it; an upsert reads it back. A save of a fetched object in which it was set, and an update by a query
/// that sets it, throw ``DatabaseError/Code/readOnly``. No migration makes the column.
///
/// - Parameters:
///   - name: The name of the column, or of the join table of an array; by default derived from the property's name.
///   - renamedFrom: The former names of the property or of its column, the latest first. Where a table has a column of
///     such a name and none of the new one, `migrate` renames it, with its indexes, keys and join table.
///   - storage: The form of the value in the column; by default the engine's.
///   - check: The values that the database admits, by a CHECK constraint that `migrate` keeps up to date; nil for all.
///   - generated: Whether the database computes the column, so that it is only read.
///   - loading: The time at which the column is loaded: with its row, or on demand, by
///     `loadColumn` or a query that names the property. It is then a property of a class, is optional or has a default,
///     and reads as that before.
@attached(peer)
public macro Column(
    _ name: String? = nil, renamedFrom: FormerNames = [], storage: ValueStorage? = nil, check: ColumnCheck? = nil,
    generated: Bool = false, loading: RelationLoading = .eager
) = #externalMacro(module: "HoldfastMacros", type: "ColumnMacro")

/// Names the columns of a reference to an object with a composite key.
///
/// ```swift
/// @Table final class Invoice {
///     @PrimaryKey var tenant: Int64
///     @PrimaryKey var number: Int64
///     @Column(["tenant", "customer_number"]) var customer: Customer?
///     …
/// }
/// // FOREIGN KEY ("tenant", "customer_number") REFERENCES "customer" ("tenant", "number")
/// ```
///
/// A column may be that of another property, as `tenant` here: see <doc:Relations>.
///
/// - Parameters:
///   - names: The names of the columns, in the order of the key.
///   - renamedFrom: The former names of the property, the latest first.
@attached(peer)
public macro Column(_ names: [String], renamedFrom: FormerNames = []) =
    #externalMacro(module: "HoldfastMacros", type: "ColumnMacro")

/// Leaves a property out of the table.
///
/// It must have a default value, which loaded objects get.
///
/// ```swift
/// @Transient var draft = ""
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "HoldfastMacros", type: "TransientMacro")

/// Lets queries name what is inside a `Codable` struct by key paths, where a property of the type is kept as JSON.
///
/// ```swift
/// @JSONObject struct Address: Codable { var city: String; var zip: String? }
/// @JSONObject struct Profile: Codable { var address: Address; var tags: [String] }
///
/// @Table final class Person { var id: Int64?; var profile: Profile … }
/// ```
///
/// `$0.profile.address.city` is then what `$0.profile.json("address.city", as: String.self)` is: see
/// ``JSONColumns``. The names are those of `CodingKeys`, whether the compiler makes it or the struct declares it.
/// So a struct that encodes itself can't have the macro: it may write other names. What is encoded by an `encode(to:)`
/// in an extension has to keep to `CodingKeys`, too.
@attached(extension, conformances: JSONObjectType, names: named(_jsonKey))
public macro JSONObject() = #externalMacro(module: "HoldfastMacros", type: "JSONObjectMacro")

/// Adds an index on the column of a property, so that conditions and orders on it are fast.
///
/// ```swift
/// @Indexed var startDate: Date?
/// ```
///
/// For indexes over several properties, use the argument of
/// ``Table(schema:_:inherits:renamedFrom:naming:readOnly:log:indexes:checks:search:scopes:)``.
@attached(peer)
public macro Indexed() = #externalMacro(module: "HoldfastMacros", type: "IndexedMacro")

/// Makes the values of a property unique; any number of objects may have nil.
///
/// ```swift
/// @Unique var code: String?
/// ```
///
/// A save that violates it throws ``DatabaseError/Code/uniqueViolation``. For unique keys over several properties, use
/// the argument of ``Table(schema:_:inherits:renamedFrom:naming:readOnly:log:indexes:checks:search:scopes:)``.
@attached(peer)
public macro Unique() = #externalMacro(module: "HoldfastMacros", type: "UniqueMacro")

/// Makes the column of an optional property NOT NULL.
///
/// Use it for a value that is unknown when an object is created and must be known when it is saved:
///
/// ```swift
/// @Required var owner: String?
/// // "owner" TEXT NOT NULL
/// ```
@attached(peer)
public macro Required() = #externalMacro(module: "HoldfastMacros", type: "RequiredMacro")

/// Sets the inverse, the delete rule, the loading and the storage of a relation.
///
/// ```swift
/// @Relation(deleteRule: .cascade) var milestones: [Milestone] = []
/// @Relation(inverse: \Task.project) var tasks: [Task] = []          // the tasks hold the key: task.project_id
/// @Relation(inverse: \Meeting.project, loading: .eager) var meetings: [Meeting] = []    // loaded with the project
/// @Relation(loading: .onDemand) var related: [Project] = []         // loaded where `including` names it
/// @Relation(inverse: \Note.project, order: [.descending(\Note.at)]) var notes: [Note] = []   // the latest first
/// @Relation(inverse: \Line.project, orphans: .delete) var lines: [Line] = []   // deleted when they are taken out
/// @Relation(references: \Country.code) var country: Country?       // "country_code" … REFERENCES "country" ("code")
/// ```
///
/// The property's type is a `@Table` type, or an optional or an array of one. Arguments that you leave out have the
/// values of a relation without this attribute.
///
/// The objects of an inverse relation store its keys, so it has no column that you could name, index or make unique. A
/// relation that is loaded on demand must belong to a class, which remembers whether it is loaded, and must be nil or
/// empty before that.
///
/// - Parameters:
///   - inverse: The property of the related type that holds the key; nothing is then stored for this property.
///   - deleteRule: The rule for the related objects when the object is deleted.
///   - loading: The time at which the related objects are loaded. If you leave it out, an array with an inverse is
///     loaded on demand where its owner is a class, and every other relation is loaded with its owner.
///   - joinTable: The names of the join table of an array and of its columns; or ``JoinTableNames/unordered`` for an
///     array that is a set.
///   - order: The order in which an array without positions is loaded, by values of its objects: one with an inverse,
///     or a set. Where they leave two objects the same, and without an order, it is that of the keys.
///   - orphans: What becomes of an object that is taken out of a relation with an inverse, when the owner is saved.
///   - foreignKey: Whether the database checks that a reference leads to a row.
///   - references: The unique property of the target that a reference holds in place of the target's key.
@attached(peer)
public macro Relation(
    inverse: AnyKeyPath? = nil, references: AnyKeyPath? = nil, deleteRule: DeleteRule = .nullify,
    loading: RelationLoading? = nil, joinTable: JoinTableNames? = nil, order: [Ordering] = [],
    orphans: OrphanRule = .detach, foreignKey: Bool = true
) = #externalMacro(module: "HoldfastMacros", type: "RelationMacro")

/// Makes an array one of the objects that another type links with its owner, where the links have properties of their
/// own.
///
/// ```swift
/// @Table final class Membership {
///     var id: Int64?
///     var team: Team
///     var user: User
///     var role = "guest"
///     @Timestamp(.created) var since: Date?
///     init(team: Team, user: User) { self.team = team; self.user = user }
/// }
/// @Table final class Team {
///     var id: Int64?
///     @Relation(inverse: \Membership.team) var memberships: [Membership] = []    // the links
///     @Relation(inverse: \Membership.team, through: \Membership.user) var members: [User] = []
///     init() {}
/// }
/// let team = try await db.find(Team.self, key: 1, including: ["members"])
/// // SELECT … FROM "membership" … JOIN "user" … WHERE "team_id" = $1
/// let teams = try await db.query(Team.self).where { $0.members.contains { $0.name == "Ann" } }.fetch()
/// try await db.link(team, \.members, to: bob)    // INSERT INTO "membership" …
/// ```
///
/// Both properties are references of one type, which is never nil: the compiler checks that they are of one type, and
/// opening the database that they lead to the owner and to the elements. Nothing is stored for the array. It holds an
/// object once for each link, in the order of the keys; declare a unique index over both references if there is to be
/// one. What loads and asks for relations does so for this one, too; like other arrays with an inverse, it is loaded on
/// demand unless you say `.eager`.
///
/// It is read. A save of an owner whose array was changed throws ``DatabaseError/Code/unsupported``: insert and delete
/// links, or call `link` and `unlink`. What becomes of links when one of their ends is deleted is said where
/// the links are an array themselves, as `memberships` here.
///
/// - Parameters:
///   - inverse: The reference of the type between both that leads to the owner.
///   - through: The reference of the same type that leads to an element.
///   - loading: The time at which the objects are loaded; on demand if you leave it out.
@attached(peer)
public macro Relation<Link: TableObject>(
    inverse: PartialKeyPath<Link>, through: PartialKeyPath<Link>, loading: RelationLoading? = nil
) = #externalMacro(module: "HoldfastMacros", type: "RelationMacro")

/// Sets a property of type `Date` or `Date?` to the time of the insertion, of each save that writes its object, or of
/// its deletion.
///
/// ```swift
/// @Timestamp(.created) var createdAt: Date?
/// @Timestamp(.modified) var modifiedAt: Date?
/// @Timestamp(.deleted) var deletedAt: Date?
/// ```
///
/// With the last, which is optional, a deletion sets the time, and the row stays. No find, fetch, stream, count,
/// aggregate, condition, relation or update meets the object any more, until it is restored:
///
/// ```swift
/// try await db.delete(note)     // UPDATE "note" SET "deleted_at" = $1 WHERE "note"."deleted_at" IS NULL AND …
/// try await db.restore(note)
/// let bin = try await db.query(Note.self).onlyDeleted().fetch()
/// try await db.delete(note, permanently: true)    // DELETE FROM "note" WHERE "id" = $1
/// ```
///
/// See <doc:SoftDeletion>. Raw SQL sees all rows.
///
/// - Parameter kind: The event whose time is stored.
@attached(peer)
public macro Timestamp(_ kind: TimestampKind) = #externalMacro(module: "HoldfastMacros", type: "TimestampMacro")

/// Makes a property of type `Date?` or `Date` the instant from which the object is gone.
///
/// ```swift
/// @Table final class Session {
///     @PrimaryKey let token: String
///     @Expires var until: Date?
///     init(token: String, until: Date?) { self.token = token; self.until = until }
/// }
/// ```
///
/// From that very instant no find, fetch, stream, count, aggregate, condition, relation, update or deletion meets it,
/// and a save of it throws ``DatabaseError/Code/notFound``, whatever date it would set. An object whose property is nil
/// never expires. The time is the database's, unless ``DatabaseConfiguration/Expiry/clock`` is another one.
///
/// ```sql
/// SELECT … FROM (SELECT * FROM "session" WHERE ("until" <= statement_timestamp()) IS NOT TRUE) AS t0 WHERE …
/// ```
///
/// Rows that have expired are deleted in the background every ``DatabaseConfiguration/Expiry/sweepInterval``, and where
/// a new object has their key or a unique value of them. A migration makes an index on the column. Each type can have
/// one such property, stored natively, or as seconds or milliseconds: see <doc:ExpiringObjects>. Raw SQL sees all rows.
@attached(peer)
public macro Expires() = #externalMacro(module: "HoldfastMacros", type: "ExpiresMacro")

/// Counts the updates of an object's row, so that two tasks that read it can't overwrite each other's changes.
///
/// ```swift
/// @Version var version = 0
/// ```
///
/// An insertion stores its value. Each update counts it up, and finds the row only with the version of the object:
///
/// ```sql
/// UPDATE "page" SET "text" = $1, "version" = $2 WHERE "id" = $3 AND "version" = $4
/// ```
///
/// If the row was changed since the object was read, saving or deleting the object throws
/// ``DatabaseError/Code/staleVersion`` and changes nothing; ``DatabaseError/currentObject(_:)`` returns the object as
/// the database has it. Changes of the object's arrays count up its version; changes of inverse relations don't. Bulk
/// updates and upserts count it up, whatever its value.
///
/// Each type can have one version, an `Int` or another integer that is not optional. If a transaction in which you
/// saved a struct rolls back, the struct's version differs from its row's: continue with the value that you had before.
@attached(peer)
public macro Version() = #externalMacro(module: "HoldfastMacros", type: "VersionMacro")

/// Leaves an object out of results if this property is nil, or an array without elements.
///
/// ```swift
/// @OmitIfMissing var title: String?
/// @OmitIfMissing var chapters: [Chapter] = []
/// ```
///
/// An object that references an omitted object is omitted as well, if that reference is loaded. An array leaves out an
/// omitted element; its owner is omitted too if the array is marked, or if the owner is a struct, which can't remember
/// missing elements. An array that leaves out an element counts as not loaded, so that no save loses it.
///
/// Nothing is deleted. Queries count, page and return keys of the remaining objects; values, aggregates, bulk updates
/// and deletions apply to all rows. Without the mark, nil is a normal value of an optional, and NULL for another
/// property throws.
@attached(peer)
public macro OmitIfMissing() = #externalMacro(module: "HoldfastMacros", type: "OmitIfMissingMacro")

/// Marks the property at `index` as changed when it is set to something else;
/// ``Table(schema:_:inherits:renamedFrom:naming:readOnly:log:indexes:checks:search:scopes:)`` adds it to properties of
/// classes.
@attached(accessor, names: named(didSet), named(willSet))
public macro _Tracked(_ index: Int) = #externalMacro(module: "HoldfastMacros", type: "TrackedMacro")

/// Marks a property of a subclass, whose index follows those of inherited properties.
@attached(accessor, names: named(didSet), named(willSet))
public macro _Tracked(afterInherited index: Int) = #externalMacro(module: "HoldfastMacros", type: "TrackedMacro")
