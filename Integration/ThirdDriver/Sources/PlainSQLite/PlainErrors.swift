@_spi(Driver) import Holdfast
import SystemSQLite

extension DatabaseError {
    /// What a result of the library means, in the terms that all engines share.
    init(_ status: Int32, _ words: String, isCompiling: Bool, _ showsValues: Bool) {
        func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        switch (status & 0xff, status >> 8) {
        case (SQLITE_CONSTRAINT, 6), (SQLITE_CONSTRAINT, 8): self.init(.uniqueViolation, "Another row has that value.")
        case (SQLITE_CONSTRAINT, 5): self.init(.notNullViolation, "A row needs a value. Set one.")
        case (SQLITE_CONSTRAINT, 12): self.init(.invalidValue, "A value does not have the type of its column.")
        case _ where says("FOREIGN KEY constraint failed"): self.init(.foreignKeyViolation, Self.foreignKeyMessage(nil))
        case (SQLITE_CONSTRAINT, _): self.init(.checkViolation, "A constraint refused a value. Correct it.")
        case (SQLITE_BUSY, 2): self.init(.serializationFailure, "Another transaction has written meanwhile. Retry.")
        case (SQLITE_BUSY, _): self.init(.lockTimeout, "The database was locked for too long. Try again.")
        case (SQLITE_READONLY, _): self.init(.readOnly, "The transaction is for reading only.")
        case (SQLITE_FULL, _): self.init(.diskFull, "The disk is full. Make room and try again.")
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _): self.init(.corrupt, "The file is damaged, or no database.")
        case _ where says("no such table", "no such column", "no column named"):
            self.init(.notMigrated, "The statement names what does not exist. Migrate the database first.")
        case (SQLITE_TOOBIG, _): self.init(.invalidValue, "A value is too long.")
        case _ where says("overflow", "malformed JSON", "too complex"): self.init(.invalidValue, "It is out of range.")
        case _ where says("already exists", "duplicate column"): self.init(.conflict, "That name is taken.")
        case _ where says("too many"): self.init(.unsupported, "The statement needs more than SQLite can do.")
        case (SQLITE_ERROR, _): self.init(.syntax, "SQLite can't understand the statement. Correct it.")
        default: self.init(.engine, "SQLite failed with result code \(status).")
        }
        engineCode = String(status)
        lacksColumn = says("no such column", "no column named")
        // Nothing was bound yet.
        if isCompiling, status == SQLITE_ERROR { engineSentence = words }
        if showsValues { shownEngineMessage = words }
        // "UNIQUE constraint failed: account.email, account.tenant"
        guard status & 0xff == SQLITE_CONSTRAINT, let end = words.firstRange(of: "failed: ")?.upperBound else { return }
        let names = words[end...].split(separator: ", ").map { $0.split(separator: ".") }.filter { $0.count == 2 }
        (table, properties) = (names.first.map { String($0[0]) }, names.map { String($0[1]) })
        if code == .uniqueViolation { message = Self.uniqueMessage(table: table, properties: properties) }
    }
}
