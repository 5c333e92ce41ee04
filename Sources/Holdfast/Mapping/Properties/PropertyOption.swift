/// A declaration about a property besides its name and type.
public struct PropertyOption: Sendable {
    enum Kind {
        case unique, indexed, required, initialized, omitIfMissing
        case role(PropertyRole)
        case column(String)
        case columns([String])
        case joinTable(JoinTableNames)
        case foreignKey(Bool)
        case generated(Bool)
        case check(ColumnCheck)
        case renamedFrom(FormerNames)
        case storage(ValueStorage)
        case inverse(any AnyKeyPath & Sendable)
        case through(any AnyKeyPath & Sendable)
        case references(any AnyKeyPath & Sendable)
        case deleteRule(DeleteRule)
        case loading(RelationLoading)
        case order([Ordering])
        case orphans(OrphanRule)
    }

    let kind: Kind

    /// Makes the values of the property unique.
    ///
    /// ```swift
    /// table.property("code", \.code, .unique)    // CREATE UNIQUE INDEX "project_code_key" …
    /// ```
    public static let unique = PropertyOption(kind: .unique)
    /// Adds an index, which makes conditions and orders on the property fast.
    ///
    /// ```swift
    /// table.property("startDate", \.startDate, .indexed)    // CREATE INDEX "project_start_date_idx" …
    /// ```
    public static let indexed = PropertyOption(kind: .indexed)
    /// Makes the column NOT NULL although the property is optional.
    ///
    /// ```swift
    /// table.property("owner", \.owner, .required)    // "owner" text NOT NULL
    /// ```
    public static let required = PropertyOption(kind: .required)
    /// Declares that new objects have a value for the property, so that queries can leave it out.
    ///
    /// Optional properties, and those with a constant default, don't need it.
    public static let initialized = PropertyOption(kind: .initialized)

    /// Makes the property the version of its row, for optimistic locking.
    public static let version = PropertyOption(kind: .role(.version))
    /// Makes the property the instant from which the object is gone, and adds an index by which such objects are found.
    ///
    /// ```swift
    /// table.property("until", \.until, .expires)    // CREATE INDEX "session_until_idx" …
    /// ```
    public static let expires = PropertyOption(kind: .role(.expiry(isGenerated: false)))
    /// Leaves out objects in which the property is nil or empty from results.
    public static let omitIfMissing = PropertyOption(kind: .omitIfMissing)

    /// Names the column, or the join table of an array; by default it is derived from the property's name.
    ///
    /// ```swift
    /// table.property("note", \.note, .column("legacy_note"))
    /// ```
    public static func column(_ name: String) -> PropertyOption { PropertyOption(kind: .column(name)) }
    /// Names the columns of a reference to an object with a composite key, in the order of that key.
    ///
    /// ```swift
    /// table.property("customer", \.customer, .columns(["tenant", "customer_id"]))
    /// ```
    ///
    /// A column may be that of another property, as `tenant` of one that is part of the object's own key.
    public static func columns(_ names: [String]) -> PropertyOption { PropertyOption(kind: .columns(names)) }
    /// Names the join table of an array of objects and its columns, or declares that it keeps no order.
    public static func joinTable(_ names: JoinTableNames) -> PropertyOption { PropertyOption(kind: .joinTable(names)) }
    /// Declares whether the database checks that a reference leads to a row; it does by default.
    public static func foreignKey(_ isEnforced: Bool) -> PropertyOption {
        PropertyOption(kind: .foreignKey(isEnforced))
    }
    /// Declares that the database computes the column, which is then read and never written.
    ///
    /// ```swift
    /// table.property("total", \.total, .generated(true))    // "total" … GENERATED ALWAYS AS (…)
    /// ```
    public static func generated(_ isGenerated: Bool) -> PropertyOption {
        PropertyOption(kind: .generated(isGenerated))
    }
    /// Adds a CHECK constraint that keeps out what the property can't have.
    ///
    /// ```swift
    /// table.property("status", \.status, .check(.cases))    // CHECK ("status" IN ('planned', 'running', 'done'))
    /// ```
    public static func check(_ check: ColumnCheck) -> PropertyOption { PropertyOption(kind: .check(check)) }
    /// Tells what the property was called before, so that a migration renames its columns and keeps their values.
    ///
    /// ```swift
    /// table.property("headline", \.headline, .renamedFrom("title"))
    /// // ALTER TABLE "note" RENAME COLUMN "title" TO "headline"
    /// ```
    public static func renamedFrom(_ names: FormerNames) -> PropertyOption { PropertyOption(kind: .renamedFrom(names)) }
    /// Sets the property to the time of the insertion, of each save, or of the deletion.
    ///
    /// ```swift
    /// table.property("createdAt", \.createdAt, .timestamp(.created))
    /// ```
    public static func timestamp(_ kind: TimestampKind) -> PropertyOption {
        PropertyOption(kind: .role(.timestamp(kind)))
    }
    /// Chooses the storage of the value in its column.
    ///
    /// ```swift
    /// table.property("price", \.price, .storage(.scaled(2)))    // 12.50 is the integer 1250
    /// ```
    public static func storage(_ storage: ValueStorage) -> PropertyOption { PropertyOption(kind: .storage(storage)) }
    /// Makes the property the inverse of a property of the related type, which holds the key.
    ///
    /// In a class that tracks changes, such an array is loaded on demand, unless ``loading(_:)`` says `.eager`.
    public static func inverse(_ keyPath: any AnyKeyPath & Sendable) -> PropertyOption {
        PropertyOption(kind: .inverse(keyPath))
    }
    /// Makes an array of objects one of those that the objects of another type link with its owner.
    ///
    /// ```swift
    /// table.property("members", \.members, .inverse(\Membership.team), .through(\Membership.user))
    /// ```
    ///
    /// It needs an ``inverse(_:)`` of the same type, which leads to the owner.
    public static func through(_ keyPath: any AnyKeyPath & Sendable) -> PropertyOption {
        PropertyOption(kind: .through(keyPath))
    }
    /// Makes a reference hold a unique property of its target in place of the target's key.
    ///
    /// ```swift
    /// table.property("country", \.country, .references(\Country.code))
    /// // "country_code" … REFERENCES "country" ("code")
    /// ```
    public static func references(_ keyPath: any AnyKeyPath & Sendable) -> PropertyOption {
        PropertyOption(kind: .references(keyPath))
    }
    /// Sets the rule for the related objects when the object is deleted.
    public static func deleteRule(_ rule: DeleteRule) -> PropertyOption { PropertyOption(kind: .deleteRule(rule)) }
    /// Chooses when the related objects, or the value of the column, are loaded.
    public static func loading(_ loading: RelationLoading) -> PropertyOption { PropertyOption(kind: .loading(loading)) }
    /// Orders the objects of an array that has no positions, by their own properties.
    ///
    /// ```swift
    /// table.property("comments", \.comments, .inverse(\Comment.post), .order([.descending(\Comment.at)]))
    /// // … ORDER BY "comment"."at" DESC, "id"
    /// ```
    public static func order(_ orders: [Ordering]) -> PropertyOption { PropertyOption(kind: .order(orders)) }
    /// Chooses what becomes of an object that is taken out of a relation whose key it holds.
    ///
    /// ```swift
    /// table.property("lines", \.lines, .inverse(\Line.order), .orphans(.delete))
    /// ```
    public static func orphans(_ rule: OrphanRule) -> PropertyOption { PropertyOption(kind: .orphans(rule)) }
}

/// The event at which a timestamp property is set.
public enum TimestampKind: Sendable {
    /// The insertion of the object; an optional property keeps a value that it already has.
    ///
    /// ```swift
    /// @Timestamp(.created) var createdAt: Date?
    /// ```
    case created
    /// Each insertion and update of the object.
    ///
    /// ```swift
    /// @Timestamp(.modified) var modifiedAt: Date?
    /// ```
    case modified
    /// The deletion of the object, whose row stays and is only marked.
    ///
    /// ```swift
    /// @Timestamp(.deleted) var deletedAt: Date?
    /// try await db.delete(note)    // UPDATE "note" SET "deleted_at" = $1 WHERE "id" = ANY($2) AND …
    /// ```
    case deleted
}
