import Foundation
import Holdfast

extension ConformanceCase {
    static let err1: [ConformanceCase] = [
        ConformanceCase(
            "err-1.constraints",
            "ERR-1",
            "Constraint violations have the same code, table and properties on every engine"
        ) { environment in
            let db = try await environment.open(Note.self, Owned.self, Place.self, Tagged.self)
            try await db.save(Note("a", code: "c"))
            let unique = try await expect(.uniqueViolation, from: "a unique column") {
                try await db.save(Note("b", code: "c"))
            }
            try expect(unique.table, equals: "note", "the table of a unique column")
            try expect(unique.properties, equals: ["code"], "the properties of a unique column")
            let token = UUID()
            try await db.insert(Place("a", 1, token, name: "p"))
            let key = try await expect(.uniqueViolation, from: "a composite key") {
                try await db.insert(Place("a", 1, token, name: "q"))
            }
            try expect(key.properties, equals: ["country", "number", "token"], "the properties of a composite key")
            let null = try await expect(.notNullViolation, from: "a required property that is nil") {
                try await db.save(Owned())
            }
            try expect(null.table, equals: "owned", "the table of a required property")
            try expect(null.properties, equals: ["owner"], "the properties of a required property")
            let foreign = try await expect(.foreignKeyViolation, from: "an element without an owner") {
                try await db.sql("INSERT INTO tagged_tags (tagged_id, position, value) VALUES (9, 0, 'a')").execute()
            }
            if environment.capabilities.namesForeignKeys {
                try expect(foreign.constraint != nil, "The engine claims to name foreign keys, and does not.")
            } else {
                try expect(
                    foreign.constraint,
                    equals: nil,
                    "the name of a foreign key that the engine does not claim to tell"
                )
            }
            try await db.sql("CREATE TABLE checked (number bigint CHECK (number > 0))").execute()
            try await expect(.checkViolation, from: "a CHECK") {
                try await db.sql("INSERT INTO checked VALUES (0)").execute()
            }
        },
        ConformanceCase(
            "err-1.statements",
            "ERR-1",
            "A statement that can't be understood, and a table that is not there, have codes of their own"
        ) { environment in
            let db = try await environment.open(Named.self)
            for text in ["SELEKT 1", "SELECT FROM WHERE", "SELECT nosuch(1)", "SELECT 'open"] {
                try await expect(.syntax, from: text) { _ = try await db.sql(SQLFragment(unsafe: text)).fetch() }
            }
            try await expect(.notMigrated, from: "fetching from a table that is not there") {
                _ = try await db.fetch(Note.self)
            }
            try await expect(.notMigrated, from: "saving to a table that is not there") { try await db.save(Note()) }
            try await expect(.notMigrated, from: "SQL on a column that is not there") {
                _ = try await db.sql("SELECT none FROM named").fetch()
            }
            try await expect(.notMigrated, from: "SQL on a table that is not there") {
                try await db.sql("DELETE FROM absent").execute()
            }
            let note = Note("a")
            try await expect(.notMigrated, from: "saving it") { try await db.save(note) }
            try await db.migrate(Note.self)
            try await db.save(note)
            try expect(try await db.count(Note.self), equals: 1, "the number of rows once it was migrated")
        },
        ConformanceCase(
            "err-1.column-is-missing",
            "ERR-1",
            "A column that is not there is told as a database that was not migrated"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE note (id bigint PRIMARY KEY NOT NULL, title text)").execute()
            try await expect(.notMigrated, from: "fetching a property without a column") {
                _ = try await db.fetch(Note.self)
            }
        },
        ConformanceCase("err-1.statement-timeout", "ERR-1", "A statement that runs too long ends with statementTimeout")
        {
            environment in
            let db = try await environment.open(Note.self) {
                $0.timeouts.statement = .milliseconds(300)
                $0.pool.maximumConnections = 1
            }
            try await expect(.statementTimeout, from: "a slow statement") {
                try await expect(within: .seconds(10), "Ending a statement by its timeout") {
                    _ = try await db.sql(SlowStatement.fragment).fetch()
                }
            }
            try await expect(.statementTimeout, from: "a slow statement in a transaction") {
                try await db.transaction { tx in
                    try await tx.save(Note("lost"))
                    _ = try await tx.sql(SlowStatement.fragment).fetch()
                }
            }
            try await db.save(Note("afterwards"))
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["afterwards"], "the rows")
        },
        ConformanceCase(
            "err-1.lock-timeout",
            "ERR-1",
            "Waiting too long for a row that another transaction holds ends with lockTimeout"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            try await db.insert(Numbered(1, "before"))
            let impatient = try await environment.open { $0.timeouts.lock = .milliseconds(300) }
            try await db.transaction(isolation: .readCommitted) { tx in
                try await tx.sql("UPDATE \(Numbered.self) SET title = 'held'").execute()
                try await expect(.lockTimeout, from: "updating a row that is held") {
                    try await expect(within: .seconds(10), "The lock timeout") {
                        try await impatient.sql("UPDATE \(Numbered.self) SET title = 'theirs'").execute()
                    }
                }
            }
            try await impatient.sql("UPDATE \(Numbered.self) SET title = 'afterwards'").execute()
            try expect(try await db.fetch(Numbered.self).map(\.title), equals: ["afterwards"], "the rows")
        },
        ConformanceCase(
            "err-1.serialization-failure",
            "ERR-1",
            "A snapshot that another transaction has overtaken ends with serializationFailure",
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.timeouts.lock = .milliseconds(500) }
            let other = try await environment.open { $0.timeouts.lock = .milliseconds(500) }
            try await db.insert(Numbered(1, "before"))
            // With a single writer the other one has to wait, in vain; then nothing is overtaken.
            try await expect(
                .serializationFailure,
                .lockTimeout,
                from: "one of two transactions that overtake each other"
            ) {
                try await db.transaction(isolation: .repeatableRead) { tx in
                    _ = try await tx.count(Numbered.self)
                    try await other.sql("UPDATE \(Numbered.self) SET title = 'theirs'").execute()
                    try await tx.sql("UPDATE \(Numbered.self) SET title = 'mine'").execute()
                }
            }
            let title = environment.capabilities.hasConcurrentWriters ? "theirs" : "before"
            try expect(try await db.fetch(Numbered.self).map(\.title), equals: [title], "the rows")
        },
        ConformanceCase(
            "err-1.cannot-connect",
            "ERR-1",
            "A database that is not there ends with cannotConnect, in time"
        ) { environment in
            try await expect(.cannotConnect, from: "opening it") {
                try await expect(within: .seconds(30), "Failing to connect") {
                    _ = try await Database.open(environment.unreachable.with { $0.timeouts.connect = .seconds(5) })
                }
            }
        },
        ConformanceCase("err-1.no-connections", "ERR-1", "A configuration that allows no connection is refused") {
            environment in
            try await expect(.invalidValue, from: "opening with no connections") {
                _ = try await environment.open { $0.pool.maximumConnections = 0 }
            }
        },
        ConformanceCase(
            "err-1.connection-lost",
            "ERR-1",
            "A connection that was lost is told inside a transaction, and mended after it",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 2 }
            let note = Note("a")
            try await expect(.connectionLost, .transactionAborted, from: "a transaction whose connection is ended") {
                try await db.transaction { tx in
                    try await tx.save(note)
                    try await environment.terminateSessions()
                    try await expect(.connectionLost, from: "the next statement") { try await tx.save(Note("b")) }
                    try await expect(.connectionLost, .transactionAborted, from: "the one after it") {
                        _ = try await tx.count(Note.self)
                    }
                }
            }
            try expect(note.id, equals: nil, "the key of an object that was not kept")
            try expect(note.isDirty, "An object that was not kept is not dirty.")
            try await db.save(note)
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["a"], "the rows")
        },
        ConformanceCase(
            "err-1.idle-connections-lost",
            "ERR-1",
            "Connections that were lost while nobody used them are replaced",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.pool.maximumConnections = 4 }
            for round in 0..<3 {
                try await withThrowingTaskGroup { group in
                    for number in 0..<20 {
                        group.addTask { try await db.insert(Numbered(Int64(round * 100 + number))) }
                    }
                    try await group.waitForAll()
                }
                try await environment.terminateSessions()
                try await Task.sleep(for: .milliseconds(300))
            }
            try await db.insert(Numbered(-1))
            try expect(try await db.count(Numbered.self), equals: 61, "the number of rows")
        },
        ConformanceCase(
            "err-1.lost-while-running",
            "ERR-1",
            "A statement whose connection is ended while it runs fails in time, and the next succeeds",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 1 }
            let running = Task { _ = try await db.sql(SlowStatement.fragment).fetch() }
            try await Task.sleep(for: .milliseconds(300))
            try await environment.terminateSessions()
            // A statement of the caller's may have been committed by the time its connection ended.
            try await expect(.connectionLost, .commitOutcomeUnknown, from: "the statement") {
                try await expect(within: .seconds(10), "Failing after the loss") { try await running.value }
            }
            try await db.save(Note("afterwards"))
            try expect(try await db.count(Note.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "err-1.lost-before-commit",
            "ERR-1",
            "A connection that is lost before COMMIT keeps nothing, and says whether that is certain",
            requires: [.terminatingSessions]
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("a")
            try await expect(.connectionLost, .commitOutcomeUnknown, from: "the transaction") {
                try await db.transaction { tx in
                    try await tx.save(note)
                    try await environment.terminateSessions()
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            try expect(note.isDirty, "An object that was not kept is not dirty.")
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "err-1.others-names", "ERR-1",
            "A violation of a unique key names the properties, whatever others have called the constraint",
            level: .graph
        ) { environment in
            let db = try await environment.open()
            try await db.sql(
                """
                CREATE TABLE numbered (number bigint NOT NULL, title text NOT NULL, "Odd, (one)=(" text,
                    CONSTRAINT odd PRIMARY KEY (number), CONSTRAINT strange UNIQUE (title, number),
                    CONSTRAINT stranger UNIQUE ("Odd, (one)=(", title))
                """
            ).execute()
            try await db.insert(Numbered(1, "a"))
            let key = try await expect(.uniqueViolation, from: "a primary key") {
                try await db.insert(Numbered(1, "b"))
            }
            try expect(key.properties, equals: ["number"], "the properties of a primary key")
            try expect(key.table, equals: "numbered", "the table of a primary key")
            let insert: SQLFragment = "INSERT INTO numbered (number, title, \"Odd, (one)=(\") VALUES (2, 'c', 'd')"
            try await db.sql(insert).execute()
            let unique = try await expect(.uniqueViolation, from: "a unique key") {
                try await db.sql("UPDATE numbered SET title = 'c', \"Odd, (one)=(\" = 'd'").execute()
            }
            try expect(unique.properties, equals: ["Odd, (one)=(", "title"], "the columns of a unique key")
        },
    ]
}
