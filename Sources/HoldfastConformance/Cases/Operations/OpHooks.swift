import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opHooks: [ConformanceCase] = [
        ConformanceCase(
            "op-hooks.order",
            "OP-HOOKS",
            "Hooks run in order, for one object and for each of a batch, inside the transaction"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let one = Hooked("ONE", log: log)
            try await db.save(one)
            try expect(
                log.take(),
                equals: ["willSave one", "didSave one", "afterCommit one"],
                "the hooks of an insert"
            )
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["one"], "the name that willSave changed")
            let batch = [Hooked("two", log: log), Hooked("three", log: log)]
            try await db.save(batch)
            try expect(
                log.take(),
                equals: [
                    "willSave two", "willSave three", "didSave two", "didSave three", "afterCommit two",
                    "afterCommit three",
                ],
                "the hooks of a batch"
            )
            try await db.delete(batch)
            try expect(
                log.take(),
                equals: [
                    "willDelete two", "willDelete three", "didDelete two", "didDelete three", "afterCommit two",
                    "afterCommit three",
                ],
                "the hooks of a deletion"
            )
            let titles = try await db.fetch(Note.self).map(\.title)
            try expect(
                titles,
                equals: ["saved one", "saved two", "saved three", "deleted two", "deleted three"],
                "what hooks saved in the transactions"
            )
        },
        ConformanceCase(
            "op-hooks.fetch",
            "OP-HOOKS",
            "didFetch runs for every object that is fetched or reloaded; what it changes is a change"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let hooked = Hooked("a", log: HookLog())
            try await db.save(hooked)
            let same = try expect(some: try await db.find(Hooked.self, key: hooked.id ?? 0), "the object")
            try expect(same.fetches, equals: 1, "the number of calls")
            try expect(same.isDirty, "A change by didFetch does not count.")
            try await db.reload(hooked)
            try expect(hooked.fetches, equals: 1, "the number of calls by a reload")
            try expect(
                try await db.fetch(Hooked.self).map(\.fetches),
                equals: [1],
                "the number of calls by a fetch of all"
            )
            try await db.sql("UPDATE \(Hooked.self) SET name = 'unreadable'").execute()
            do {
                _ = try await db.fetch(Hooked.self)
                throw ExpectationFailure("A fetch succeeded although didFetch threw.", #fileID, #line)
            } catch let failure as HookFailure {
                try expect(failure, equals: HookFailure(hook: "didFetch"), "the error")
            }
        },
        ConformanceCase(
            "op-hooks.failure",
            "OP-HOOKS",
            "A hook that throws rolls back: database and object are as before"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            for hook in ["willSave", "didSave"] {
                let hooked = Hooked("a", log: log)
                hooked.failing = hook
                try await expectFailure(of: hook) { try await db.save(hooked) }
                try expect(hooked.id, equals: nil, "the key of an object that was not saved")
                try expect(hooked.isDirty, "An object that was not saved is not dirty.")
            }
            try expect(try await db.count(Hooked.self), equals: 0, "the number of rows")
            let kept = Hooked("kept", log: log)
            try await db.save(kept)
            for hook in ["willDelete", "didDelete"] {
                kept.failing = hook
                try await expectFailure(of: hook) { try await db.delete(kept) }
                try expect(!kept.isDirty, "An object that was not deleted counts as new.")
            }
            try expect(try await db.count(Hooked.self), equals: 1, "the number of rows after deletions that failed")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["saved kept"], "what hooks saved")
            try expect(
                log.entries.filter { $0.hasPrefix("afterCommit") },
                equals: ["afterCommit kept"],
                "the calls after commits"
            )
        },
        ConformanceCase(
            "op-hooks.failure-inside",
            "OP-HOOKS",
            "After a hook that throws inside a transaction that goes on, the object is as before, and can be saved"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let (saved, new) = (Hooked("saved", log: log), Hooked("new", log: log))
            try await db.save(saved)
            saved.name = "changed"
            saved.failing = "didSave"
            new.failing = "didSave"
            try await db.transaction { tx in
                for hooked in [saved, new] {
                    try await expectFailure(of: "didSave") { try await tx.save(hooked) }
                }
            }
            try expect(saved.isDirty, "What was taken back counts as saved.")
            try expect(new.id == nil && new.isDirty, "The new object has a row.")
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["saved"], "what was committed")
            (saved.failing, new.failing) = (nil, nil)
            try await db.save([saved, new])
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["changed", "new"], "what was saved then")
        },
        graph(
            "op-hooks.reached", "OP-HOOKS", "The hooks of what a save reaches and does not write are not called"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Letter.self) { probe.attach(to: &$0) }
            let other = try await environment.open()
            let letter = Letter("one")
            let (ann, bob) = (Correspondent("ANN"), Correspondent("bob"))
            (letter.author, letter.readers) = (ann, [ann, bob])
            try await db.save(letter)
            try expect([ann.saves, bob.saves], equals: [1, 1], "the calls for new objects")
            try expect(ann.email, equals: "ann@example.org", "what the hook set")
            let found = try expect(some: try await db.find(Letter.self, key: letter.id ?? 0), "the letter")
            try await other.sql("UPDATE correspondent SET email = 'Newest@example.org'").execute()
            found.text = "status"
            _ = probe.take()
            try await db.save(found)
            let statements = probe.take().filter { !$0.hasPrefix("SELECT") }
            try expect(
                statements.count == 1 && statements[0].hasPrefix("UPDATE \"letter\""), "The statements: \(statements)")
            try expect(
                try await other.texts("SELECT DISTINCT email FROM correspondent"), equals: ["Newest@example.org"],
                "the addresses that another wrote")
            try expect([ann.saves, bob.saves], equals: [1, 1], "the calls for objects that were only reached")
            // One that is given is hooked, and written if the hook changes it.
            let fresh = try expect(some: try await db.find(Correspondent.self, key: ann.id ?? 0), "ann")
            try await db.save(fresh)
            try expect(fresh.saves == 1 && fresh.email == "newest@example.org", "The given object was not hooked.")
            _ = probe.take()
            try await db.save(fresh)
            try expect(fresh.saves == 2 && probe.take() == [], "A hook that sets what is there is a change.")
        },
        graph(
            "op-hooks.changed-by-others", "OP-HOOKS",
            "An object that another side of a relation changes, or another one's hook, is hooked once and written"
        ) { environment in
            let db = try await environment.open(Household.self, Letter.self)
            let (ann, bob) = (Correspondent("ann"), Correspondent("bob"))
            try await db.save([ann, bob])
            try await db.sql("UPDATE correspondent SET email = upper(email)").execute()
            try await db.reload([ann, bob])
            let house = Household("High Street")
            house.members = [ann]
            try await db.save(house)
            try expect(ann.saves == 2 && ann.home === house, "An object that another side changed was not hooked.")
            try expect(ann.email == "ann@example.org" && !ann.isDirty, "What the hook set was not saved.")
            try expect(bob.saves, equals: 1, "the calls for an object that is not reached")
            house.members.append(bob)
            try await db.save(house)
            try expect([ann.saves, bob.saves], equals: [2, 2], "the calls where an array grew")
            try expect(
                try await db.texts("SELECT DISTINCT email FROM correspondent ORDER BY email"),
                equals: ["ann@example.org", "bob@example.org"], "the addresses")
        },
        graph(
            "op-hooks.concurrent", "OP-HOOKS", "Saves of different objects that lead to the same ones don't meet"
        ) { environment in
            let db = try await environment.open(Letter.self)
            let readers = (0..<8).map { Correspondent("reader\($0)") }
            try await db.save(readers)
            let keys = readers.compactMap(\.id)
            let letters = (0..<200).map { number in
                let letter = Letter("\(number)")
                letter.readers = readers.shuffled()
                return letter
            }
            try await db.save(letters)
            try await db.sql("UPDATE correspondent SET email = upper(email)").execute()
            let letterKeys = letters.compactMap(\.id)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in letterKeys {
                    group.addTask {
                        let letter = try expect(some: try await db.find(Letter.self, key: key), "a letter")
                        letter.text = "read"
                        try await db.save(letter)
                    }
                }
                try await group.waitForAll()
            }
            try expect(
                try await db.number("SELECT count(*) FROM letter WHERE text = 'read' AND version = 1"), equals: 200,
                "the letters that were saved")
            try expect(
                try await db.number("SELECT count(*) FROM correspondent WHERE email <> upper(email)"), equals: 0,
                "the readers that were written")
            try expect(keys.count, equals: 8, "the readers")
        },
        graph("op-hooks.graph", "OP-HOOKS", "Hooks run once for each object that a save reaches and writes") {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            let (a, b, c) = (Watched("a", log: log), Watched("b", log: log), Watched("c", log: log))
            (a.next, b.next, c.next) = (b, a, c)
            a.parts = [c, b, c]
            try await db.save([a, c, a])
            let calls = log.take()
            try expect(calls.count, equals: 9, "the number of calls, three for each object: \(calls)")
            for hook in ["willSave", "didSave", "afterCommit"] {
                let names = calls.filter { $0.hasPrefix(hook) }.map { String($0.suffix(1)) }.sorted()
                try expect(names, equals: ["a", "b", "c"], "the objects for which \(hook) was called")
            }
            let last = try expect(some: calls.lastIndex { $0.hasPrefix("didSave") }, "a call")
            try expect(
                calls.firstIndex { $0.hasPrefix("afterCommit") } ?? 0 > last, "afterCommit came too early: \(calls)")
            b.name = "B"
            try await db.save(a)
            let written = log.take().filter { !$0.hasPrefix("willSave") }
            try expect(written, equals: ["didSave B", "afterCommit B"], "the calls after writing one of three")
            (a.next, b.next, c.next) = (nil, nil, nil)
        },
        graph(
            "op-hooks.adds-objects", "OP-HOOKS",
            "Objects that willSave adds are saved too, with those that their hooks add"
        ) {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            let names = ["a", "b", "c", "d"]
            let objects = names.map { Watched($0, log: log) }
            for index in 1..<4 { objects[index - 1].addition = objects[index] }
            objects[3].next = objects[0]
            try await db.save(objects[0])
            let calls = log.take()
            for hook in ["willSave", "didSave", "afterCommit"] {
                try expect(
                    calls.filter { $0.hasPrefix(hook) }.map { String($0.suffix(1)) }.sorted(), equals: names,
                    "the objects for which \(hook) was called")
            }
            try expect(try await db.texts("SELECT name FROM watched ORDER BY name"), equals: names, "the names")
            let same = try expect(some: try await db.find(Watched.self, key: objects[0].id ?? 0), "the object")
            try expect(
                same.parts.first?.parts.first?.parts.first?.next === same, "What the hooks added is not all there.")
            (objects[3].next, same.parts) = (nil, [])
        },
        graph(
            "op-hooks.graph-failure", "OP-HOOKS", "A hook that throws for one object of a graph undoes the whole save"
        ) {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            for hook in ["willSave", "didSave"] {
                let head = Watched("head", log: log)
                head.parts = [Watched("one", log: log), Watched("two", log: log)]
                head.parts[1].failing = hook
                do {
                    try await db.save(head)
                    throw ExpectationFailure("A save succeeded although \(hook) threw.", #fileID, #line)
                } catch let failure as HookFailure {
                    try expect(failure, equals: HookFailure(hook: hook), "the error")
                }
                try expect(
                    head.id == nil && head.parts.allSatisfy { $0.id == nil && $0.isDirty },
                    "An object is not as before.")
                try expect(try await db.count(Watched.self), equals: 0, "the number of rows")
                head.parts[1].failing = nil
                try await db.save(head)
                try expect(
                    try await db.count(Watched.self), equals: 3, "the number of rows after a save that succeeded")
                try await db.delete(head)
                try expect(try await db.count(Watched.self), equals: 0, "the number of rows after a deletion")
            }
        },
        graph(
            "op-hooks.cascade", "OP-HOOKS",
            "Hooks run for objects that a deletion reaches, given or not, in its transaction"
        ) {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            let head = Watched("head", log: log)
            head.parts = [Watched("one", log: log), Watched("two", log: log)]
            head.parts[0].parts = [Watched("deep", log: log)]
            head.next = Watched("stays", log: log)
            try await db.save(head)
            _ = log.take()
            struct Stop: Error {}
            do {
                try await db.transaction { tx in
                    try await tx.delete(head)
                    try expect(try await tx.count(Watched.self), equals: 1, "the number of rows in the transaction")
                    throw Stop()
                }
            } catch is Stop {}
            try expect(try await db.count(Watched.self), equals: 5, "the number of rows after a rollback")
            try expect(try await db.count(Note.self), equals: 0, "what hooks saved, after a rollback")
            try expect(
                !head.isDirty && head.parts.allSatisfy { !$0.isDirty }, "An object counts as new after a rollback.")
            try expect(!log.take().contains { $0.hasPrefix("afterCommit") }, "afterCommit ran after a rollback.")
            try expect(try await db.delete(head), equals: 1, "the number of rows deleted")
            let names = ["deep", "head", "one", "two"]
            for hook in ["will delete", "deleted"] {
                let titles = try await db.texts("SELECT title FROM note WHERE title LIKE \(hook + " %") ORDER BY title")
                try expect(titles, equals: names.map { "\(hook) \($0)" }, "what hooks saved")
            }
            try expect(try await db.texts("SELECT name FROM watched"), equals: ["stays"], "what is left")
            try expect(head.isDirty, "An object that was deleted is not new.")
        },
    ]

    private static func expectFailure(
        of hook: String,
        file: StaticString = #fileID,
        line: Int = #line,
        _ operation: () async throws -> Void
    ) async throws {
        do {
            try await operation()
        } catch let failure as HookFailure {
            return try expect(failure, equals: HookFailure(hook: hook), "the error", file: file, line: line)
        }
        throw ExpectationFailure("It succeeded although \(hook) threw.", file, line)
    }
}
