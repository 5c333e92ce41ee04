import Holdfast

/// Optimistic locking.
extension ConformanceCase {
    static let opVersion: [ConformanceCase] = [
        ConformanceCase(
            "op-version.counted", "OP-VERSION",
            "A version counts the updates of an object, and stays where nothing changed"
        ) { environment in
            let db = try await environment.open(Edition.self)
            let edition = Edition("old")
            try await db.save(edition)
            try expect(edition.version, equals: 0, "the version of a new object")
            edition.text = "new"
            try await db.save(edition)
            try expect(edition.version, equals: 1, "the version after an update")
            try await db.save(edition)
            try expect(edition.version, equals: 1, "the version where nothing changed")
        },
        ConformanceCase(
            "op-version.stale", "OP-VERSION",
            "Of two that read the same row the second to save is refused, with what the first saved"
        ) { environment in
            let db = try await environment.open(Edition.self)
            let first = Edition("old")
            try await db.save(first)
            let second = try await db.query(Edition.self).one()
            first.text = "first"
            try await db.save(first)
            second.text = "second"
            second.pages = 7
            let error = try await expect(.staleVersion, from: "a save of what another changed") {
                try await db.save(second)
            }
            try expect(error.properties, equals: ["version"], "the properties that the error is about")
            let current = try expect(some: error.currentObject(Edition.self), "the current object")
            try expect(current.text, equals: "first", "what the database has")
            try expect(current.version, equals: 1, "its version")
            try expect(try error.currentValue(of: \Edition.text), equals: "first", "one value of it")
            try expect(try error.currentObject(Note.self) == nil, "The error carries an object of another type.")
            try expect(second.isDirty && second.version == 0, "The object that was refused was changed.")
            second.version = current.version
            try await db.save(second)
            let stored = try await db.query(Edition.self).one()
            try expect(stored.text, equals: "second", "what is stored in the end")
            try expect(stored.pages, equals: 7, "the pages that are stored")
            try expect(stored.version, equals: 2, "the version that is stored")
            current.pages = 8
            try await expect(.staleVersion, from: "a save of a current object that is old by now") {
                try await db.save(current)
            }
            try await db.reload(current)
            current.pages = 9
            try await db.save(current)
            try expect(try await db.query(Edition.self).one().pages, equals: 9, "the pages after a reload")
            try await db.sql("DELETE FROM \(Edition.self)").execute()
            current.pages = 10
            try await expect(.notFound, from: "a save of a row that is gone") { try await db.save(current) }
        },
        ConformanceCase(
            "op-version.many", "OP-VERSION",
            "Of many objects one that another changed has all of them refused, and the error tells which"
        ) { environment in
            let db = try await environment.open(Counter.self)
            let counters = (0..<200).map { Counter("\($0)") }
            try await db.save(counters)
            for counter in counters { counter.count += 1 }
            try await db.save(counters)
            try expect(counters.allSatisfy { $0.version == 1 }, "A version was not counted up.")
            let other = try await db.query(Counter.self).where { $0.name == "137" }.one()
            other.count = 50
            try await db.save(other)
            for counter in counters { counter.count += 1 }
            let error = try await expect(.staleVersion, from: "a save of many") { try await db.save(counters) }
            try expect(error.objectIndex, equals: 137, "the object that the error is about")
            try expect(try error.currentObject(Counter.self)?.count, equals: 50, "what its row holds")
            try expect(counters.allSatisfy { $0.isDirty && $0.version == 1 }, "An object was changed.")
            try expect(
                try await db.query(Counter.self).where { $0.count == 2 }.count(), equals: 0,
                "the rows that were written")
            try await db.transaction { tx in
                let error = try await expect(.staleVersion, from: "a save of many in a transaction") {
                    try await tx.save(counters)
                }
                try expect(error.objectIndex, equals: 137, "the object that the error in a transaction is about")
                counters[137].version = 2
                try await tx.save(counters)
            }
            try expect(
                try await db.query(Counter.self).where { $0.count == 2 }.count(), equals: 200, "the rows in the end")
            try expect(counters[137].version == 3 && counters[136].version == 2, "The versions are others.")
            do {
                try await db.transaction { tx in
                    counters[0].count = 9
                    try await tx.save(counters[0])
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try expect(counters[0].version, equals: 2, "the version after a rollback")
            try await db.save(counters[0])
            try expect(counters[0].version, equals: 3, "the version of what was saved after all")
        },
        ConformanceCase(
            "op-version.everything", "OP-VERSION",
            "Whatever writes a row counts its version up: arrays, references, updates by queries, upserts"
        ) { environment in
            let db = try await environment.open(Edition.self, Counter.self)
            let edition = Edition("a")
            try await db.save(edition)
            edition.words = ["x"]
            try await db.save(edition)
            try expect(edition.version, equals: 1, "the version after a change of an array")
            edition.parent = Edition("parent")
            try await db.save(edition)
            try expect(edition.version, equals: 2, "the version after a change of a reference")
            edition.pages = 3
            edition.text = "kept"
            try await db.update(edition, only: \.pages)
            try expect(edition.version, equals: 3, "the version after an update of one property")
            try await db.query(Edition.self).update { $0.pages += 1 }
            try expect(
                try await db.find(Edition.self, key: edition.id ?? 0)?.version, equals: 4,
                "the version after an update by a query")
            try await expect(.staleVersion, from: "a save after an update by a query") { try await db.save(edition) }
            let part = try await db.query(Edition.self).where { $0.text == "a" }.properties(\.text).one()
            part.text = "part"
            try await db.save(part)
            try expect(part.version, equals: 5, "the version of an object with some properties")

            let edited = try expect(some: try await db.find(Edition.self, key: edition.id ?? 0), "the edition")
            edited.version = 5
            edited.pages = 100
            try await db.update(edited, only: \.pages)
            try expect(edited.version, equals: 6, "the version in memory, where it was set by hand")
            edited.text = "more"
            try await db.save(edited)

            let counter = Counter("a")
            try await db.upsert(counter, on: \.name)
            let again = Counter("a")
            again.count = 5
            try await db.upsert(again, on: \.name)
            try expect(again.version, equals: 1, "the version after an upsert")
            counter.count = 1
            try await expect(.staleVersion, from: "a save after an upsert") { try await db.save(counter) }
            again.version = .max
            again.count = 6
            try await expect(.invalidValue, from: "a version that can't be counted up") { try await db.save(again) }
            try expect(again.isDirty, "What could not be saved counts as saved.")
            try await db.sql("UPDATE counter SET version = \(Int16.max)").execute()
            try await expect(.notNullViolation, from: "an update by a query of a version that can't be counted up") {
                try await db.query(Counter.self).update { $0.count += 1 }
            }
            try expect(try await db.query(Counter.self).one().count, equals: 5, "the count after errors")
        },
        ConformanceCase(
            "op-version.delete", "OP-VERSION",
            "What another changed since is not deleted by an object that does not know it"
        ) { environment in
            let db = try await environment.open(Edition.self, Hooked.self, Note.self)
            let editions = [Edition("a"), Edition("b")]
            try await db.save(editions)
            let other = try await db.query(Edition.self).where { $0.text == "b" }.one()
            other.pages = 1
            try await db.save(other)
            let error = try await expect(.staleVersion, from: "a deletion of what another changed") {
                try await db.delete(editions)
            }
            try expect(error.objectIndex, equals: 1, "the object that the error is about")
            try expect(try error.currentObject(Edition.self)?.pages, equals: 1, "what its row holds")
            try expect(try await db.count(Edition.self), equals: 2, "the rows that are left")
            try await expect(.staleVersion, from: "a deletion of one that another changed") {
                try await db.delete(editions[1])
            }
            let twice = try await expect(.staleVersion, from: "a deletion of one that is given twice, and of another") {
                try await db.delete([editions[0], editions[0], editions[1]])
            }
            try expect(twice.objectIndex, equals: 2, "the object that the error is about, after one given twice")
            let copies = [other, editions[1]]
            try await expect(.staleVersion, from: "a deletion of two instances of a row, of which one is old") {
                try await db.delete(copies)
            }
            try await db.reload(editions[1])
            try await db.delete(editions)
            try expect(try await db.count(Edition.self), equals: 0, "the rows after a reload")
            try await db.save(editions[0])
            try await db.query(Edition.self).delete()
            try expect(try await db.count(Edition.self), equals: 0, "the rows after a deletion by a query")
        },
        ConformanceCase(
            "op-version.structs", "OP-VERSION", "A struct is saved where its row has the version that it knows"
        ) { environment in
            let db = try await environment.open(Ledger.self)
            var ledger = Ledger(id: 1, balance: 5)
            try await db.save(&ledger)
            try expect(ledger.revision, equals: 0, "the version of a new row")
            let old = ledger
            ledger.balance = 6
            try await db.save(&ledger)
            try expect(ledger.revision, equals: 1, "the version after a save")
            let error = try await expect(.staleVersion, from: "a save of an old value") { _ = try await db.save(old) }
            try expect(try error.currentObject(Ledger.self), equals: ledger, "the current value")
            try await expect(.staleVersion, from: "an update by an old value") { _ = try await db.update(old) }
            try await expect(.staleVersion, from: "a deletion of an old value") { try await db.delete(old) }
            let update = try await db.update(Ledger(id: 1, balance: 7, revision: 1))
            try expect(update.revision, equals: 2, "the version after an update")
            let several = [Ledger(id: 2), Ledger(id: 1, balance: 8, revision: 1), Ledger(id: 3)]
            let refusal = try await expect(.staleVersion, from: "a save of several") { _ = try await db.save(several) }
            try expect(refusal.objectIndex, equals: 1, "the value that the error is about")
            try expect(try await db.count(Ledger.self), equals: 1, "the rows after an error")
            let saved = try await db.save([Ledger(id: 2), Ledger(id: 1, balance: 8, revision: 2), Ledger(id: 3)])
            try expect(saved.map(\.revision), equals: [0, 3, 0], "the versions that were saved")
            let twice = try await db.save([saved[1], saved[0], saved[1]])
            try expect(twice.map(\.revision), equals: [4, 1, 4], "the versions of a value that was given twice")
            let new = try await db.save([Ledger(id: 4), Ledger(id: 4)])
            try expect(new.map(\.revision), equals: [0, 0], "the versions of a new value that was given twice")
            let mixed = [Ledger(id: 5), Ledger(id: 5), Ledger(id: 1, balance: 99, revision: 3)]
            let lost = try await expect(.staleVersion, from: "a save beside values given twice") {
                _ = try await db.save(mixed)
            }
            try expect(lost.objectIndex, equals: 2, "the value that the error is about, beside values given twice")
        },
        ConformanceCase(
            "op-version.race", "OP-VERSION",
            "Of tasks that read a row and change it at the same time, each either sees what the others saved or is refused"
        ) { environment in
            let db = try await environment.open(Counter.self)
            let counter = Counter("shared")
            try await db.save(counter)
            let key = counter.id ?? 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<5 {
                            while true {
                                guard let mine = try await db.find(Counter.self, key: key) else { return }
                                mine.count += 1
                                do {
                                    try await db.save(mine)
                                    break
                                } catch let error as DatabaseError where error.code == .staleVersion {
                                    continue
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let stored = try expect(some: try await db.find(Counter.self, key: key), "the counter")
            try expect(stored.count, equals: 40, "the count")
            try expect(stored.version, equals: 40, "the version")
        },
    ]
}
