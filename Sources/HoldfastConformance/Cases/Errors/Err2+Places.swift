import Holdfast

/// Where something failed: which call, which object, who has the connections.
extension ConformanceCase {
    static let err2Places: [ConformanceCase] = [
        ConformanceCase(
            "err-2.place", "ERR-2",
            "The description of an error says which call failed, and which statement of the program's, without values"
        ) { environment in
            let db = try await environment.open(Note.self)
            let own = try await expect(.notMigrated, from: "a statement of the program's") {
                _ = try await db.sql("SELECT title FROM nowhere WHERE title = 'secret' AND rank = \(1)")
                    .fetch(as: String.self)
            }
            try expect(own.callSite?.hasPrefix("\(#fileID):"), equals: true, "its call: \(own)")
            try expect(own.description.contains("At \(#fileID):"), "No call is named: \(own)")
            try expect(own.description.contains("select title from nowhere where title = ?"), "No statement: \(own)")
            try expect(!own.description.contains("secret"), "A value is shown: \(own)")
            let missing = Schema(
                Note.self, migrations: [Migration("fill") { $0.sql("UPDATE nowhere SET title = 'secret'") }])
            let failed = try await expect(.notMigrated, from: "a statement of a migration") {
                try await db.migrate(missing)
            }
            try expect(failed.description.contains("update nowhere set title = ?"), "No statement: \(failed)")
            try expect(failed.description.contains("\"fill\""), "No migration: \(failed)")
            let mapped = try await expect(.uniqueViolation, from: "a save") {
                try await db.save([Note("b", code: "same"), Note("c", code: "same")])
            }
            try expect(
                mapped.callSite?.hasPrefix("\(#fileID):"), equals: true, "its call: \(mapped)")
            try expect(!mapped.description.contains("Statement"), "A statement of the library: \(mapped)")
            let graph = try await expect(.notMigrated, from: "a fetch of objects with arrays") {
                _ = try await db.fetch(Tagged.self)
            }
            try expect(graph.callSite?.hasPrefix("\(#fileID):"), equals: true, "its call: \(graph)")
        },
        ConformanceCase(
            "err-2.checkout", "ERR-2",
            "A checkout timeout says who holds connections and how many wait, and advises only what helps"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .milliseconds(400)
            }
            let (held, enough) = (Signal(), Signal())
            let holder = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("held"))
                    held.give()
                    await enough.wait()
                }
            }
            await held.wait()
            let first = Task { try await db.save(Note("first")) }
            while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
            let second = Task { try await db.save(Note("second")) }
            while db.poolStatistics.waiting == 1 { try await Task.sleep(for: .milliseconds(1)) }
            let error = try await expect(.poolTimeout, from: "who waits first") { try await first.value }
            try await expect(.poolTimeout, from: "who waits next") { try await second.value }
            enough.give()
            try await holder.value
            try expect(error.message.contains("1 of at most 1 connections are in use"), "How many? \(error)")
            try expect(
                error.message.contains("transaction at \(#fileID):"), "Who holds it? \(error)")
            try expect(error.message.contains("1 other operation waiting"), "How many wait? \(error)")
            try expect(
                error.callSite?.hasPrefix("\(#fileID):"), equals: true, "who waits: \(error)")
            // One connection writes by design where readers have others; elsewhere, more of them help.
            let isOfOneWriter = db.poolStatistics.maximum > 1
            try expect(
                error.message.contains("allow more connections"), equals: !isOfOneWriter, "the advice of \(error)")
        },
        graph(
            "err-2.objects", "ERR-2",
            "An error about an object that a save has reached says which: its type, the path to it, and its key if asked"
        ) { environment in
            for shows in [false, true] {
                let db = try await environment.open(Employee.self) { $0.telemetry.showsKeys = shows }
                let ann = Employee("Ann")
                let bob = Employee("Bob")
                (ann.spouse, bob.siblings) = (bob, [Employee("Cid"), Employee("Dan")])
                try await db.save(ann)
                let dan = bob.siblings[1]
                dan.name = "Daniel\0"
                let refused = try await expect(.invalidValue, from: "a value that can't be stored") {
                    try await db.save(ann)
                }
                try expect(refused.objectPath, equals: "employee.spouse.siblings[1]", "the path to what is refused")
                try expect(
                    refused.description.contains("(Employee at employee.spouse.siblings[1])"), "No path: \(refused)")
                try expect(refused.shownKey != nil, equals: shows, "whether the key of what is refused is shown")
                dan.name = "Daniel"
                try await db.sql("DELETE FROM employee_siblings").execute()
                try await db.sql("DELETE FROM employee WHERE id = \(dan.id ?? 0)").execute()
                let gone = try await expect(.notFound, from: "a row that is gone") { try await db.save([bob, ann]) }
                try expect(gone.objectPath, equals: "employee[0].siblings[1]", "the path to what is gone")
                try expect(gone.shownKey != nil, equals: shows, "whether the key of what is gone is shown")
                try expect(gone.shownEngineMessage, equals: nil, "the engine's words where only keys are shown")
                let given = try await expect(.notFound, from: "an object that was given") { try await db.save(dan) }
                try expect(given.objectPath, equals: nil, "the path to an object that was given")
            }
        },
    ]
}
