extension SaveGraph {
    /// The error with the object that it is about: its key, if keys are shown, and how the save came to it, if it was
    /// not given.
    func naming(_ error: any Error) -> any Error {
        guard var error = error as? DatabaseError, let node = error.node else { return error }
        error.node = nil
        guard tables.indices.contains(Int(node.table)), error.objectPath == nil else { return error }
        let (table, index) = (tables[Int(node.table)], Int(node.index))
        guard table.positions.indices.contains(index) else { return error }
        // An error on the way to the object, such as one of another class, must not hide the one that is told of it.
        if table.positions[index] < 0, let path = try? pathFinder.pathIfReached(to: node) {
            (error.objectPath, error.objectType) = (path, table.description.type)
        }
        // Not before the objects are encoded, keys are known.
        if table.showsKeys, error.shownKey == nil, index < table.keys.rowCount, let key = table.key(of: index) {
            error.shownKey = table.description.exposed(key).shown
        }
        return error
    }

    /// Runs a part of the save, and says of its error which object it is about.
    func naming<Output>(_ body: () throws -> Output) throws -> Output {
        do { return try body() } catch { throw naming(error) }
    }
}
