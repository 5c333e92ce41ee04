/// Makes the objects of one type of the rows of its table, whatever the type.
protocol ObjectMaker: AnyObject {
    /// Makes the objects of the rows that are there, if they need nothing else, before others have come.
    func makeAhead()

    /// The rows with a value that does not fit its property, besides those that are left out already.
    func unreadableRows() -> [Int]

    /// Prepares for making objects, once all rows are there.
    func prepare()

    /// Lets known objects stand for their rows.
    func use(_ known: KnownObjects)

    /// Makes the objects of all rows that have none yet.
    ///
    /// - Parameter linkedAfterwards: Relations to objects that may not be made yet: see ``link(_:)``.
    func makeAll(besides linkedAfterwards: PropertyMask) throws

    /// Makes the object of one row, once those are made that it needs.
    func make(_ row: Int) throws

    /// The objects of this type that the rows of another table lead to.
    ///
    /// - Parameter positions: For each of those rows, the rows of this type's table that it leads to.
    func column(_ positions: RelatedRowIndices) -> RelatedColumn

    /// Sets relations of all objects, once those are made that they lead to.
    func link(_ relations: PropertyMask) throws

    /// Lets objects remember what was not loaded of them, and calls their hooks, once all are linked.
    func finish() throws

    /// Gives known objects what they lack and their rows have, and makes the others known.
    func complete(_ known: KnownObjects) throws
}
