import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opFind: [ConformanceCase] = [
        ConformanceCase(
            "op-find.at-once",
            "OP-FIND",
            "Of many concurrent finds each gets its own object, nil or error, whatever becomes of the others"
        ) { environment in
            let db = try await environment.open(Numbered.self, Note.self)
            try await db.save((0..<200).map { Numbered(Int64($0), "t\($0)") })
            let key = try await saved(Note("note"), in: db)
            try await withThrowingTaskGroup { group in
                for task in 0..<48 {
                    group.addTask {
                        for round in 0..<20 {
                            let number = (task * 37 + round * 11) % 400
                            switch task % 8 {
                            case 0:
                                try await expect(.notMigrated, from: "finding in a table that is not there") {
                                    _ = try await db.find(Keyless.self, key: number)
                                }
                            case 1:
                                let note = try expect(some: try await db.find(Note.self, key: key), "the note")
                                try expect(note.title, equals: "note", "the title of the note")
                            case 2:
                                try await expect(.invalidValue, from: "finding by a key of another shape") {
                                    _ = try await db.find(Numbered.self, key: Key(1, 2))
                                }
                            default:
                                let title = try await db.find(Numbered.self, key: number)?.title
                                try expect(title, equals: number < 200 ? "t\(number)" : nil, "the title of \(number)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        },
        ConformanceCase(
            "op-find.own-writes",
            "OP-FIND",
            "Each of many tasks finds what it saved before"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            try await withThrowingTaskGroup { group in
                for task in 0..<24 {
                    group.addTask {
                        for round in 0..<8 {
                            let number = Int64(task * 100 + round)
                            try await db.save(Numbered(number, "t\(number)"))
                            for _ in 0..<3 {
                                let found = try await db.find(Numbered.self, key: number)
                                try expect(found?.title, equals: "t\(number)", "the title of \(number)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        },
        ConformanceCase(
            "op-find.few-statements",
            "OP-FIND",
            "Many concurrent finds take few statements where each of them is a round trip"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Numbered.self) {
                $0.pool.maximumConnections = 1
                probe.attach(to: &$0)
            }
            try await db.save((0..<200).map { Numbered(Int64($0), "t\($0)") })
            _ = probe.take()
            let connection = await HeldConnection(of: db)
            let finds = (0..<100).map { number in
                Task { try await db.find(Numbered.self, key: number)?.title }
            }
            try await Task.sleep(for: .milliseconds(100))
            try await connection.release()
            for (number, find) in finds.enumerated() {
                try expect(try await find.value, equals: "t\(number)", "the title of \(number)")
            }
            let count = probe.take().count
            let limit = environment.capabilities.hasRoundTrips ? 20 : 100
            try expect(count <= limit, "100 finds took \(count) statements.")
        },
        ConformanceCase(
            "op-find.cancelled",
            "OP-FIND",
            "Of many finds that wait for a connection, those that are cancelled end immediately, and the others are served"
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.pool.maximumConnections = 1 }
            try await db.save((0..<40).map { Numbered(Int64($0), "t\($0)") })
            let connection = await HeldConnection(of: db)
            let finds = (0..<40).map { number in
                Task { try await db.find(Numbered.self, key: number)?.title }
            }
            try await Task.sleep(for: .milliseconds(50))
            for find in finds[..<20] { find.cancel() }
            try await expect(within: .seconds(10), "Cancelling finds that wait") {
                for find in finds[..<20] {
                    try await expect(.cancelled, from: "a cancelled find") { _ = try await find.value }
                }
            }
            try await connection.release()
            for (number, find) in finds.enumerated().dropFirst(20) {
                try expect(try await find.value, equals: "t\(number)", "the title of \(number)")
            }
        },
        ConformanceCase(
            "op-find.no-connection",
            "OP-FIND",
            "Many finds for which no connection becomes free fail after the checkout timeout"
        ) { environment in
            let db = try await environment.open(Numbered.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .milliseconds(400)
            }
            let connection = await HeldConnection(of: db)
            let clock = ContinuousClock()
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(number * 10))
                        let start = clock.now
                        try await expect(.poolTimeout, from: "finding without a connection") {
                            _ = try await db.find(Numbered.self, key: number)
                        }
                        try expect(clock.now - start >= .milliseconds(390), "A find gave up before its time.")
                    }
                }
                try await group.waitForAll()
            }
            try await connection.release()
            try expect(try await db.find(Numbered.self, key: 1) == nil, "There is a row that nobody saved.")
        },
        ConformanceCase(
            "op-find.beside-a-lock",
            "OP-FIND",
            "Finds go on while others wait for a table that a transaction is about to drop"
        ) { environment in
            let db = try await environment.open(Numbered.self, Note.self) { $0.pool.maximumConnections = 16 }
            try await db.save((0..<100).map { Numbered(Int64($0), "t\($0)") })
            let key = try await saved(Note("note"), in: db)
            let (dropped, enough) = (Signal(), Signal())
            let holder = Task {
                try await db.transaction { tx in
                    try await tx.sql("DROP TABLE \(Note.self)").execute()
                    dropped.give()
                    await enough.wait()
                    throw Undone()
                }
            }
            await dropped.wait()
            let waiting = (0..<6).map { _ in
                Task { try await db.find(Note.self, key: key)?.title }
            }
            try await expect(within: .seconds(10), "Finding in another table") {
                try await withThrowingTaskGroup { group in
                    for task in 0..<12 {
                        group.addTask {
                            for round in 0..<50 {
                                let number = (task * 7 + round) % 100
                                let title = try await db.find(Numbered.self, key: number)?.title
                                try expect(title, equals: "t\(number)", "the title of \(number)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            enough.give()
            do {
                try await holder.value
            } catch is Undone {}
            for find in waiting { try expect(try await find.value, equals: "note", "the title after all") }
        },
        ConformanceCase(
            "op-find.close",
            "OP-FIND",
            "Closing serves the finds that are under way and refuses the later ones, however many there are"
        ) { environment in
            let other = try await environment.open(Numbered.self)
            try await other.save((0..<100).map { Numbered(Int64($0), "t\($0)") })
            let db = try await environment.open()
            try await expect(within: .seconds(20), "Closing while many tasks find") {
                let served = try await withThrowingTaskGroup(of: Int.self) { group in
                    for task in 0..<16 {
                        group.addTask {
                            var count = 0
                            while true {
                                do {
                                    let found = try await db.find(Numbered.self, key: (task + count) % 100)
                                    try expect(found != nil, "A find that was served found nothing.")
                                    count += 1
                                } catch let error as DatabaseError where error.code == .closed {
                                    return count
                                }
                            }
                        }
                    }
                    try await Task.sleep(for: .milliseconds(100))
                    try await db.close()
                    return try await group.reduce(0, +)
                }
                try expect(served > 0, "No find was served.")
            }
        },
        ConformanceCase("op-find.key-values", "OP-FIND", "Keys give their values back, and go by JSON and URLs") {
            environment in
            let db = try await environment.open(Named.self, Token.self, Numbered.self, Place.self)
            let id = UUID()
            let names = ["42", "a/b, ~c", "", id.uuidString, "e\u{301}"]
            for name in names { _ = try await db.insert(Named(name: name)) }
            _ = try await db.insert(Token(id: id))
            try await db.insert(Numbered(-7))
            let place = Place("a,b", 3, id, name: "x")
            try await db.insert(place)

            func sent(_ key: Key) throws -> Key {
                let data = try JSONEncoder().encode([key])
                let received = try JSONDecoder().decode([Key].self, from: data)[0]
                try expect(received, equals: key, "the key that JSON gave back")
                return try expect(some: Key(token: key.token), "the key of a token")
            }
            let found = try await db.query(Named.self).keys()
            try expect(
                Set(found.compactMap(\.string).map { Array($0.utf8) }), equals: Set(names.map { Array($0.utf8) }),
                "the texts")
            for key in found {
                let same = try await db.find(Named.self, key: try sent(key))
                try expect(
                    same.map { Array($0.name.utf8) }, equals: key.string.map { Array($0.utf8) }, "the object of a text")
            }
            let token = try await db.query(Token.self).keys()[0]
            try expect(token.uuid, equals: id, "the UUID of a key")
            try expect(token.int64, equals: nil, "a number that is none")
            try expect(token.string, equals: nil, "a text that is none")
            try expect(try await db.find(Token.self, key: try sent(token)) != nil, "A UUID leads nowhere.")
            let number = try await db.query(Numbered.self).keys()[0]
            try expect(number.int64, equals: -7, "the number of a key")
            try expect(try await db.find(Numbered.self, key: try sent(number)) != nil, "A number leads nowhere.")
            let places = try await db.query(Place.self).keys()
            let (country, count, uuid) = try places[0].values(as: String.self, Int32.self, UUID.self)
            try expect(country == "a,b" && count == 3 && uuid == id, "The parts of a key are others.")
            try expect(
                try await db.find(Place.self, key: try sent(places[0]))?.name, equals: "x", "the object of three parts")
            let reference = Reference<Numbered>(key: -7)
            try expect(try reference.key?.value(as: Int64.self), equals: -7, "the key of a reference")
            try await expect(.decoding, from: "a part too many") { _ = try number.values(as: Int.self, Int.self) }
            try await expect(.decoding, from: "another type") { _ = try number.value(as: String.self) }
        },
    ]

    private struct Undone: Error {}

    /// Saves a note, and returns its key.
    private static func saved(_ note: Note, in db: Database) async throws -> Int64 {
        try await db.save(note)
        return try expect(some: note.id, "the key")
    }

    /// A flat class that no case migrates.
    @Table
    final class Keyless {
        var id: Int64?
        var title: String

        init(_ title: String) { self.title = title }
    }
}
