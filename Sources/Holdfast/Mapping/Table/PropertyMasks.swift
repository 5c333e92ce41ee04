/// Sets of a model's properties, by what they are: computed once, since saves and loads ask for them all the time.
struct PropertyMasks: Sendable {
    /// All properties that there are.
    var all = PropertyMask()
    /// The properties of the primary key.
    var key = PropertyMask()
    /// All properties that are written: those that the database does not compute.
    var written = PropertyMask()
    /// All properties that are written but those of the key.
    var nonKey = PropertyMask()
    /// The properties that the database computes.
    var generated = PropertyMask()
    /// The properties that can't be set in an object that exists.
    var fixed = PropertyMask()
    /// The properties for lack of which an object is left out.
    var omitted = PropertyMask()
    /// The creation times, which are set by an insertion.
    var created = PropertyMask()
    /// The modification times.
    var modified = PropertyMask()
    /// The times of creation and of modification.
    var timestamps = PropertyMask()
    /// The time of the deletion, if rows are only marked; empty if they are deleted.
    var deletion = PropertyMask()
    /// The version; empty if there is none.
    var version = PropertyMask()
    /// The arrays of values.
    var arrays = PropertyMask()
    /// The properties that lie in tables of their own: arrays of values, and of objects.
    var joinTables = PropertyMask()
    /// The properties that lead to objects.
    var relations = PropertyMask()
    /// The relations to one object by its key in the row, but lazy ones.
    var references = PropertyMask()
    /// The relations that the other side keeps.
    var inverse = PropertyMask()
    /// Those of them that lead to any number of objects.
    var inverseArrays = PropertyMask()
    /// The columns that are loaded on demand.
    var onDemand = PropertyMask()
    /// The relations whose objects are deleted with their owner: it owns them.
    var owned = PropertyMask()
}
