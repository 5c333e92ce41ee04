import Foundation
import Holdfast

/// What changes by a query return.
extension ConformanceCase {
    static let opQueryReturning: [ConformanceCase] = [
        graph(
            "op-query.update-returning", "OP-QUERY",
            "An update by a query returns the objects as they are then, with what they lead to"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let team = Team("new")
            try await db.save(team)
            let oldest = engineers.sorted { ($0.age, $0.id ?? 0) > ($1.age, $1.id ?? 0) }.prefix(3)
            let found = try await db.query(Engineer.self).order { [$0.age.descending, $0.id.descending] }.limit(3)
                .updateReturning {
                    $0.age += 1
                    $0.nickname.set(nil)
                    $0.team.set(team)
                }
            try expect(Set(found.map(\.id)), equals: Set(oldest.map(\.id)), "the changed objects")
            for engineer in found {
                let before = try expect(some: engineers.first { $0.id == engineer.id }, "the engineer")
                try expect(engineer.age, equals: before.age + 1, "the age")
                try expect(engineer.nickname == nil && engineer.shoe == before.shoe, "A value is another.")
                try expect(engineer.tags == before.tags && engineer.scores == before.scores, "An array is another.")
                try expect(engineer.team?.name, equals: "new", "the team")
                try expect(engineer.boss?.id, equals: before.boss?.id, "the boss")
                try expect(engineer.reviews.map(\.points), equals: before.reviews.map(\.points), "the reviews")
            }
            let none = try await db.query(Engineer.self).where { $0.age > 10_000 }.updateReturning { $0.age.set(1) }
            try expect(none.isEmpty, "An object was changed that does not meet the query.")
            let partial = try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.properties(\.name, \.age)
                .updateReturning { $0.age += 1 }
            try expect(partial.count, equals: engineers.filter { $0.boss?.name == "Ada" }.count, "the number of parts")
            try expect(
                partial.allSatisfy { $0.isLoaded(\.name) && !$0.isLoaded(\.salary) }, "Other properties are loaded.")
            // A relation is followed by the keys that the statement has returned.
            try await db.transaction { tx in
                let changed = try await tx.query(Engineer.self).where { $0.hasKey(engineers[0].id ?? 0) }
                    .updateReturning { $0.boss.set(engineers[1]) }
                try expect(changed.map(\.boss?.name), equals: [engineers[1].name], "the boss in a transaction")
            }
        },
        ConformanceCase(
            "op-query.update-returning-values", "OP-QUERY",
            "An update by a query returns flat objects or values of the changed rows, by one statement"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self) { probe.attach(to: &$0) }
            try await db.save((0..<6).map { Note("n\($0)", body: $0 % 2 == 0 ? nil : "b", rank: $0) })
            _ = try await db.query(Note.self).count()
            _ = probe.take()
            let notes = try await db.query(Note.self).where { $0.body == nil }.order { $0.rank.descending }.limit(2)
                .updateReturning { $0.body.set("x") }
            try expect(probe.take().count, equals: 1, "the number of statements")
            try expect(Set(notes.map(\.title)), equals: ["n4", "n2"], "the changed notes")
            try expect(notes.allSatisfy { $0.body == "x" && !$0.isDirty }, "A note is as it was before.")
            let ranks: [Int] = try await db.query(Note.self).where { $0.rank < 2 }.update(returning: { $0.rank }) {
                $0.rank += 10
            }
            try expect(ranks.sorted(), equals: [10, 11], "one value of each")
            let pairs = try await db.query(Note.self).where { $0.rank < 10 }
                .update(returning: { ($0.title, $0.rank * 2, $0.code) }) { $0.rank.set($0.rank.current + 1) }
            let sorted = pairs.sorted { $0.1 < $1.1 }
            try expect(sorted.map(\.0), equals: ["n2", "n3", "n4", "n5"], "the first values of tuples")
            try expect(sorted.map(\.1), equals: [6, 8, 10, 12], "computed values")
            try expect(sorted.allSatisfy { $0.2 == nil }, "A value is not nil.")
            try await expect(.unsupported, from: "an aggregate") {
                _ = try await db.query(Note.self).update(returning: { $0.rank.sum }) { $0.rank += 1 }
            }
            try await expect(.invalidValue, from: "nothing that is set") {
                _ = try await db.query(Note.self).updateReturning { _ in }
            }
            try await expect(.uniqueViolation, from: "a code twice") {
                _ = try await db.query(Note.self).updateReturning { $0.code.set("c") }
            }
            try expect(try await db.query(Note.self).where { $0.rank > 9 }.count(), equals: 2, "the notes after that")
        },
        ConformanceCase(
            "op-query.update-returning-fails", "OP-QUERY",
            "Where what an update by a query returns can't be read, nothing has changed"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            try await db.sql("UPDATE \(Engineer.self) SET grade = 'unknown' WHERE age > \(20)").execute()
            try await expect(.decoding, from: "an object with a value that does not fit") {
                _ = try await db.query(Engineer.self).updateReturning { $0.age.set(7) }
            }
            try await expect(.decoding, from: "a value that does not fit") {
                _ = try await db.query(Engineer.self).update(returning: { $0.grade }) { $0.age.set(7) }
            }
            try await expect(.decoding, from: "a deleted object with a value that does not fit") {
                _ = try await db.query(Engineer.self).deleteReturning()
            }
            try await expect(.unsupported, from: "what a relation leads to") {
                _ = try await db.query(Engineer.self).update(returning: { $0.boss.name.optional }) { $0.age.set(7) }
            }
            try await expect(.unsupported, from: "what an array holds") {
                _ = try await db.query(Engineer.self).update(returning: { $0.tags.count }) { $0.age.set(7) }
            }
            try await expect(.unsupported, from: "what an array of a deleted object holds") {
                _ = try await db.query(Engineer.self).delete(returning: { $0.tags.count })
            }
            let key: [Int64?] = try await db.query(Engineer.self).where { $0.boss != nil }
                .update(returning: { $0.boss.id }) { $0.age += 0 }
            try expect(key.count, equals: engineers.filter { $0.boss != nil }.count, "the keys of bosses")
            let ages = try await db.query(Engineer.self).select { $0.age }.fetch()
            try expect(ages, equals: engineers.map(\.age), "the ages")
            let readable = db.query(Engineer.self).omittingUnreadable()
            let found = try await readable.fetch().count
            try expect(
                try await readable.updateReturning { $0.shoe.set(nil) }.count, equals: found,
                "the objects that can be read")
        },
        ConformanceCase(
            "op-query.update-returning-more", "OP-QUERY",
            "What an update by a query does besides is part of what it returns"
        ) { environment in
            let db = try await environment.open(Stamped.self, Ledger.self, SeatHold.self, Place.self)
            let stamped = Stamped("a")
            try await db.save(stamped)
            try await Task.sleep(for: .milliseconds(3))
            let changed = try await db.query(Stamped.self).updateReturning { $0.text.set("b") }
            let before = try expect(some: stamped.modifiedAt, "the time of the save")
            try expect(try expect(some: changed.first?.modifiedAt, "the time") > before, "The time is not later.")
            _ = try await db.save(Ledger(id: 1))
            let ledgers = try await db.query(Ledger.self).updateReturning { $0.balance += 5 }
            try expect(ledgers, equals: [Ledger(id: 1, balance: 5, revision: 1)], "the version")
            // The struct that was returned is the row: it can be saved.
            var ledger = try expect(some: ledgers.first, "the ledger")
            ledger.balance = 6
            try expect(try await db.update(ledger).revision, equals: 2, "the version after a save")
            _ = try await db.save([
                SeatHold(code: "a", seat: 1, until: Date().addingTimeInterval(-60)),
                SeatHold(code: "b", seat: 2, until: Date().addingTimeInterval(600)),
            ])
            let codes = try await db.query(SeatHold.self).updateReturning { $0.seat += 1 }.map(\.code)
            try expect(codes, equals: ["b"], "what has not expired")
            try expect(try await db.query(SeatHold.self).deleteReturning().map(\.seat), equals: [3], "the deleted")
            let token = UUID()
            try await db.save((0..<3).map { Place("DE", $0, token, name: "p\($0)", aliases: ["x"]) })
            let places = try await db.query(Place.self).order { $0.number.descending }.limit(2).updateReturning {
                $0.name.set("new")
            }
            try expect(Set(places.map(\.number)), equals: [1, 2], "the objects with keys of several parts")
            try expect(places.allSatisfy { $0.aliases == ["x"] }, "An array is not loaded.")
            let gone = try await db.query(Place.self).order { $0.number.ascending }.limit(1).deleteReturning()
            try expect(gone.map(\.name), equals: ["p0"], "the deleted place")
            try expect(try await db.query(Place.self).count(), equals: 2, "the places that are left")
        },
        ConformanceCase(
            "op-query.delete-returning", "OP-QUERY",
            "A deletion by a query returns the objects or values as they were, and the objects count as deleted"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self) { probe.attach(to: &$0) }
            try await db.save((0..<6).map { Note("n\($0)", rank: $0) })
            _ = try await db.query(Note.self).count()
            _ = probe.take()
            let gone = try await db.query(Note.self).order { $0.rank.descending }.limit(2).deleteReturning()
            try expect(probe.take().count, equals: 1, "the number of statements")
            try expect(Set(gone.map(\.title)), equals: ["n5", "n4"], "the deleted notes")
            try expect(try await db.query(Note.self).count(), equals: 4, "the number left")
            try await db.save(gone)  // again
            try expect(try await db.query(Note.self).count(), equals: 6, "the number after they were saved")
            struct Undone: Error {}
            var undone: [Note] = []
            do {
                try await db.transaction { tx in
                    undone = try await tx.query(Note.self).where { $0.rank == 0 }.deleteReturning()
                    throw Undone()
                }
            } catch is Undone {}
            try expect(undone.map(\.title), equals: ["n0"], "the note of a deletion that is undone")
            try await db.save(undone)
            try expect(try await db.query(Note.self).count(), equals: 6, "the number after that")
            let titles = try await db.query(Note.self).where { $0.rank < 2 }.delete(returning: { $0.title })
            try expect(titles.sorted(), equals: ["n0", "n1"], "one value of each")
            let pairs = try await db.query(Note.self).delete(returning: { ($0.title, $0.rank) })
            try expect(pairs.map(\.1).sorted(), equals: [2, 3, 4, 5], "several values of each")
            try expect(try await db.query(Note.self).deleteReturning().isEmpty, "Something is deleted twice.")
        },
        graph(
            "op-query.delete-returning-graphs", "OP-QUERY",
            "A deletion that returns objects follows delete rules, calls hooks, and has what they led to"
        ) { environment in
            let db = try await environment.open(Venture.self, Watched.self, Note.self)
            for name in ["a", "b", "c"] {
                let venture = Venture(name)
                venture.tags = [name, "x"]
                venture.stages = [Stage("1"), Stage("2")]
                try await db.save(venture)
            }
            let ventures = try await db.query(Venture.self).order { $0.name.ascending }.limit(2).deleteReturning()
            try expect(Set(ventures.map(\.name)), equals: ["a", "b"], "the deleted ventures")
            try expect(ventures.allSatisfy { $0.tags == [$0.name, "x"] }, "An array is not loaded.")
            try expect(ventures.allSatisfy { $0.stages.count == 2 }, "Objects of an array are not loaded.")
            try expect(try await db.query(Stage.self).count(), equals: 2, "the stages that are left")
            let names = try await db.query(Venture.self).delete(returning: { ($0.name, $0.id) })
            try expect(names.map(\.0), equals: ["c"], "the name of the last one")
            try expect(try await db.query(Stage.self).count(), equals: 0, "the stages after that")
            let log = HookLog()
            let watched = Watched("w", log: log)
            watched.parts = [Watched("p", log: log)]
            try await db.save(watched)
            let gone = try await db.query(Watched.self).where { $0.name == "w" }.deleteReturning()
            try expect(gone.flatMap(\.parts).map(\.name), equals: ["p"], "the part")
            try expect(try await db.query(Watched.self).count(), equals: 0, "the number of those left")
            let notes = try await db.query(Note.self).select { $0.title }.fetch()
            try expect(notes.filter { $0.hasPrefix("deleted") }.count, equals: 2, "the hooks that were called")
            try await db.save(Watched("silent", log: log))
            try await db.query(Watched.self).deleteReturning(callingHooks: false)
                .forEach { try expect($0.name, equals: "silent", "the silent one") }
            try expect(try await db.query(Watched.self).count(), equals: 0, "the number after that")
            try expect(try await db.query(Note.self).count(), equals: notes.count, "the notes after that")
        },
        graph(
            "op-query.returning-observed", "OP-QUERY",
            "Observed queries and the change log learn of changes that return something"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<3).map { Note("n\($0)", rank: $0) })
            var results = db.query(Note.self).where { $0.rank < 10 }.order { $0.rank.ascending }.observe()
                .makeAsyncIterator()
            _ = try await results.next()
            _ = try await db.query(Note.self).where { $0.rank == 1 }.updateReturning { $0.title.set("x") }
            var result = try expect(some: try await results.next(), "the result after an update")
            try expect(result.objects.map(\.title), equals: ["n0", "x", "n2"], "the titles after an update")
            _ = try await db.query(Note.self).where { $0.rank == 0 }.delete(returning: { $0.id })
            result = try expect(some: try await results.next(), "the result after a deletion")
            try expect(result.objects.map(\.title), equals: ["x", "n2"], "the titles after a deletion")
            _ = try await db.query(Note.self).where { $0.rank == 2 }.deleteReturning()
            result = try expect(some: try await results.next(), "the result after another deletion")
            try expect(result.objects.map(\.title), equals: ["x"], "the titles after another deletion")
        },
    ]
}
