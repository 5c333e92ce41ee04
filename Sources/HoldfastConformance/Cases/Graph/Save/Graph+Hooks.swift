import Foundation
import Holdfast

extension ConformanceCase {
    static let graphHooks: [ConformanceCase] = [
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
            "txn-4.graph-after-commit", "TXN-4",
            "afterCommit of a graph runs once, after COMMIT, and never for what was rolled back"
        ) {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            func commits() -> [String] { log.entries.filter { $0.hasPrefix("afterCommit") } }
            func family(_ name: String) -> Watched {
                let head = Watched(name, log: log)
                head.parts = [Watched(name + "1", log: log)]
                return head
            }
            struct Stop: Error {}
            let lost = family("lost")
            do {
                try await db.transaction { tx in
                    try await tx.save(lost)
                    throw Stop()
                }
            } catch is Stop {}
            try expect(commits(), equals: [], "the calls after a rollback")
            try expect(
                lost.id == nil && lost.parts[0].id == nil && lost.parts[0].isDirty, "An object is not as before.")
            try await db.transaction { tx in
                try await tx.save(family("a"))
                do {
                    try await tx.transaction { nested in
                        try await nested.save(lost)
                        throw Stop()
                    }
                } catch is Stop {}
                try await tx.transaction { nested in try await nested.save(family("b")) }
                try expect(commits(), equals: [], "the calls before COMMIT")
            }
            try expect(
                commits().sorted(), equals: ["a", "a1", "b", "b1"].map { "afterCommit \($0)" }, "the calls after COMMIT"
            )
            try expect(
                try await db.texts("SELECT name FROM watched ORDER BY name"), equals: ["a", "a1", "b", "b1"],
                "the names")
            _ = log.take()
            try await db.save(lost)
            try expect(
                commits(), equals: ["afterCommit lost", "afterCommit lost1"], "the calls of what was saved in the end")
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
}
