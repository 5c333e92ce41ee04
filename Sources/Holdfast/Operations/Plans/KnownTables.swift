import Synchronization

/// The types that a database was asked to store, for messages about what refers to what.
final class KnownTables: DatabaseService {
    private let descriptions = Mutex<[TableDescription]>([])

    init() {}

    func close() async {}

    /// Notes types, each once.
    func note(_ more: [TableDescription]) {
        descriptions.withLock { known in
            for description in more where !known.contains(where: { $0 === description }) { known.append(description) }
        }
    }

    var all: [TableDescription] { descriptions.withLock { $0 } }
}

extension DatabaseCore {
    /// The types that the database was asked to store.
    var knownTables: KnownTables { services.service(KnownTables.self) }

    /// The error about rows of a type, with the relations of all known types that it may be about.
    func explained(_ error: DatabaseError, of description: TableDescription) -> DatabaseError {
        let mayBeReferred = error.foreignKeySide != nil
        return description.explained(error, knowing: mayBeReferred ? knownTables.all : [])
    }
}
