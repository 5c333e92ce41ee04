import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opEqual: [ConformanceCase] = [
        ConformanceCase(
            "op-equal.form", "OP-EQUAL", "A form that assigns all fields overwrites nothing that a second writer wrote"
        ) { environment in
            let (db, other) = (try await environment.open(Sheet.self), try await environment.open())
            let sheet = Sheet("one")
            (sheet.amount, sheet.day, sheet.cells) = (1.5, Date(timeIntervalSince1970: 1_000), ["a": 1, "b": 2])
            try await db.save(sheet)
            let (key, before) = (try expect(some: sheet.id, "the key"), sheet.modifiedAt)
            try await other.sql("UPDATE sheet SET amount = 9.5").execute()
            func submit(_ sheet: Sheet, title: String) {
                let texts = (title, String(decoding: Array(sheet.observed.utf8), as: UTF8.self))
                (sheet.title, sheet.observed) = texts
                (sheet.amount, sheet.day, sheet.cells) = (1.5, Date(timeIntervalSince1970: 1_000), ["b": 2, "a": 1])
                (sheet.version, sheet.modifiedAt, sheet.id) = (0, before, key)
            }
            submit(sheet, title: "one")
            try expect(!sheet.isDirty, "An object with the same values is dirty.")
            try await db.save(sheet)
            try await db.update(sheet)
            try await db.transaction { tx in try await tx.save([sheet]) }
            try expect(try await other.number("SELECT version FROM sheet"), equals: 0, "the version")
            try expect(sheet.version == 0 && sheet.modifiedAt == before, "A save without a change set something.")
            submit(sheet, title: "two")
            try expect(sheet.isDirty, "A changed object is not dirty.")
            try await db.save(sheet)
            let same = try expect(some: try await other.find(Sheet.self, key: key), "the row")
            try expect(same.title == "two" && same.amount == 9.5, "Another writer's column was overwritten.")
            try expect(same.version == 1 && same.version == sheet.version, "The version was not counted up once.")
        },
        ConformanceCase(
            "op-equal.patch", "OP-EQUAL", "JSON and dictionaries with the values that are there change nothing"
        ) { environment in
            let (db, other) = (try await environment.open(Sheet.self), try await environment.open())
            try await db.save(Sheet("one"))
            let sheet = try expect(some: try await db.fetch(Sheet.self).first, "the object")
            try await other.sql("UPDATE sheet SET amount = 9.5").execute()
            let body = try sheet.json()
            let all: [PartialKeyPath<Sheet>] = [\.title, \.amount, \.day, \.cells, \.observed, \.modifiedAt]
            try sheet.setValues(json: body, allowing: all)
            try sheet.setValues(["title": "one", "amount": 0, "day": nil])
            try expect(!sheet.isDirty, "The same values make an object dirty.")
            try await db.save(sheet)
            let same = try expect(some: try await other.fetch(Sheet.self).first, "the row")
            try expect(same.version == 0 && same.amount == 9.5, "The same values were written.")
            try sheet.setValues(["title": "two", "amount": 0])
            try await db.save(sheet)
            let after = try expect(some: try await other.fetch(Sheet.self).first, "the row")
            try expect(after.version == 1 && after.amount == 9.5 && after.title == "two", "More was written.")
        },
        ConformanceCase(
            "op-equal.back-again", "OP-EQUAL", "What was changed and changed back is no change, by what its column has"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Sheet.self) { probe.attach(to: &$0) }
            let (nfc, nfd) = ("caf\u{e9}", "cafe\u{301}")
            let sheet = Sheet(nfc)
            sheet.day = Date(timeIntervalSince1970: 1)
            try await db.save(sheet)
            try await expectChange(false, "a text set back", of: sheet, db, probe) {
                $0.title = "other"
                $0.title = nfc
            }
            try await expectChange(true, "another Unicode form", of: sheet, db, probe) { $0.title = nfd }
            try await expectChange(false, "the same Unicode form", of: sheet, db, probe) { $0.title = nfd }
            try await expectChange(false, "-0.0 for 0.0", of: sheet, db, probe) { $0.amount = -0.0 }
            try await expectChange(false, "a date that is rounded to the same", of: sheet, db, probe) {
                $0.day = Date(timeIntervalSince1970: 1.000_000_2)
            }
            try await expectChange(true, "a date of the next microsecond", of: sheet, db, probe) {
                $0.day = Date(timeIntervalSince1970: 1.000_001)
            }
            try expect(sheet.version, equals: 2, "the version")
        },
        ConformanceCase(
            "op-equal.back-again-within", "OP-EQUAL",
            "What was changed and changed back within a dictionary, by an observer, or to nil is no change"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Sheet.self) { probe.attach(to: &$0) }
            let sheet = Sheet("one")
            sheet.day = Date(timeIntervalSince1970: 1)
            try await db.save(sheet)
            try await expectChange(true, "a dictionary with an entry", of: sheet, db, probe) { $0.cells["a"] = 1 }
            try await expectChange(false, "an entry that is set back", of: sheet, db, probe) {
                $0.cells["a"] = 2
                $0.cells["b"] = 2
                $0.cells["a"] = 1
                $0.cells["b"] = nil
            }
            try await expectChange(true, "a property with an observer", of: sheet, db, probe) { $0.observed = "x" }
            try await expectChange(false, "a property with an observer, set back", of: sheet, db, probe) {
                $0.observed = "y"
                $0.observed = "x"
            }
            try await expectChange(false, "nil, and the date again", of: sheet, db, probe) {
                let day = $0.day
                $0.day = nil
                $0.day = day
            }
            try await expectChange(true, "nil", of: sheet, db, probe) { $0.day = nil }
            try await expectChange(true, "what was marked by hand", of: sheet, db, probe) { $0.makeDirty() }
            try expect(sheet.version, equals: 4, "the version")
        },
        ConformanceCase(
            "op-equal.numbers", "OP-EQUAL", "Numbers that are set back are no changes, alone and several at once"
        ) { environment in
            struct Stop: Error {}
            let probe = StatementProbe()
            let db = try await environment.open(Dial.self) { probe.attach(to: &$0) }
            try await db.save(Dial())
            let dial = try expect(some: try await db.fetch(Dial.self).first, "the object")
            for (name, change, back) in Dial.changes {
                change(dial)
                try expect(dial.isDirty, "No change: \(name)")
                back(dial)
                try expect(!dial.isDirty, "A change, although it was set back: \(name)")
            }
            for (name, _, _) in Dial.changes {
                for other in Dial.changes { other.change(dial) }
                // In a transaction that fails, what they were is taken and given back.
                do {
                    try await db.transaction { tx in
                        try await tx.save(dial)
                        throw Stop()
                    }
                } catch is Stop {}
                for other in Dial.changes where other.name != name { other.back(dial) }
                _ = probe.take()
                try await db.save(dial)
                try expect(probe.take().count, equals: 1, "the statements after a change of \(name)")
                let stored = try expect(some: try await db.fetch(Dial.self).first, "the row")
                for (_, _, back) in Dial.changes { back(dial) }
                for (_, _, back) in Dial.changes { back(stored) }
                try expect(dial.isDirty && stored.isDirty, "No change after it was saved: \(name)")
                _ = probe.take()
                try await db.save(dial)
                try expect(probe.take().count, equals: 1, "the statements that set \(name) back")
            }
            try expect(dial.version, equals: 2 * Dial.changes.count, "the version")
        },
        ConformanceCase(
            "op-equal.while-suspended", "OP-EQUAL",
            "What is set while a save is suspended is compared with what is in the row once that ends"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Sheet.self) { probe.attach(to: &$0) }
            try await changeWhileSaving(db, probe)
        },
        ConformanceCase(
            "op-equal.rollback", "OP-EQUAL", "After a rollback, values are compared with what the row has again"
        ) { environment in
            struct Stop: Error {}
            let db = try await environment.open(Sheet.self, Letter.self)
            let (sheet, letter) = (Sheet("one"), Letter("one"))
            letter.tags = ["a"]
            try await db.save(sheet)
            try await db.save(letter)
            do {
                try await db.transaction { tx in
                    (sheet.title, letter.subject, letter.tags) = ("two", "two", ["a", "b"])
                    try await tx.save(sheet)
                    try await tx.save(letter)
                    do {
                        try await tx.transaction { nested in
                            (sheet.title, letter.subject, letter.tags) = ("three", "three", [])
                            try await nested.save(sheet)
                            try await nested.save(letter)
                            (sheet.title, letter.subject, letter.tags) = ("two", "two", ["a", "b"])
                            try expect(sheet.isDirty && letter.isDirty, "What differs from the row is no change.")
                            throw Stop()
                        }
                    } catch is Stop {}
                    try expect(!sheet.isDirty && !letter.isDirty, "What a savepoint took back is a change.")
                    (sheet.title, letter.subject, letter.tags) = ("one", "one", ["a"])
                    try expect(sheet.isDirty && letter.isDirty, "What differs from the row is no change.")
                    throw Stop()
                }
            } catch is Stop {}
            try expect(!sheet.isDirty && !letter.isDirty, "What a transaction took back is a change.")
            (sheet.title, letter.subject) = ("two", "two")
            letter.tags.append("b")
            try await db.save(sheet)
            try await db.save(letter)
            try expect(try await db.texts("SELECT title FROM sheet"), equals: ["two"], "the title")
            try expect(try await db.texts("SELECT subject FROM letter"), equals: ["two"], "the subject")
            try expect(try await db.fetch(Letter.self).first?.tags, equals: ["a", "b"], "the tags")
            try expect(sheet.version == 1 && letter.version == 1, "A version is wrong.")
        },
        ConformanceCase(
            "op-equal.after-conflict", "OP-EQUAL",
            "After a conflict, what is set is written, also if it is what the object had before"
        ) { environment in
            let (db, other) = (try await environment.open(Sheet.self), try await environment.open())
            try await db.save(Sheet("first"))
            let sheet = try expect(some: try await db.fetch(Sheet.self).first, "the object")
            let theirs = try expect(some: try await other.fetch(Sheet.self).first, "the object")
            theirs.title = "theirs"
            try await other.save(theirs)
            sheet.title = "mine"
            do {
                try await db.save(sheet)
                throw ExpectationFailure("A stale version was saved.", #fileID, #line)
            } catch let error as DatabaseError where error.code == .staleVersion {
                sheet.version = try expect(some: try error.currentObject(Sheet.self), "the current one").version
                sheet.title = "first"
            }
            try await db.save(sheet)
            try expect(try await other.texts("SELECT title FROM sheet"), equals: ["first"], "the title")
        },
        ConformanceCase(
            "op-equal.reload", "OP-EQUAL", "Reloaded, deleted and saved again, values are compared with the latest row"
        ) { environment in
            let (db, other) = (try await environment.open(Sheet.self), try await environment.open())
            let sheet = Sheet("one")
            try await db.save(sheet)
            sheet.title = "two"
            try await other.sql("UPDATE sheet SET title = 'three', version = 1").execute()
            try await db.reload(sheet)
            sheet.title = "one"
            try expect(sheet.isDirty, "What was there before the reload is no change.")
            sheet.title = "three"
            try expect(!sheet.isDirty, "What was reloaded is a change.")
            sheet.title = "four"
            try await db.delete(sheet)
            sheet.title = "three"
            try await db.save(sheet)
            try expect(try await db.texts("SELECT title FROM sheet"), equals: ["three"], "the title")
            sheet.title = "five"
            sheet.title = "three"
            try expect(!sheet.isDirty, "What was saved again is a change.")
            sheet.title = "five"
            try await db.update(sheet, only: \.amount)
            try expect(sheet.isDirty, "What was not updated is saved.")
            sheet.title = "three"
            try expect(!sheet.isDirty, "The value of the row is a change.")
            sheet.title = "six"
            try await db.upsert(sheet)
            sheet.title = "three"
            try expect(sheet.isDirty, "What was before the upsert is no change.")
            sheet.title = "six"
            try expect(!sheet.isDirty, "What was upserted is a change.")
        },
        ConformanceCase(
            "op-equal.by-hand", "OP-EQUAL", "A mapping by hand knows what a value was, and keeps arrays"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Tracked.self) { probe.attach(to: &$0) }
            try await db.save(Tracked(title: "one", tags: ["a"]))
            let object = try expect(some: try await db.fetch(Tracked.self).first, "the object")
            _ = probe.take()
            (object.title, object.tags) = ("one", ["a"])
            object.tags.append("b")
            object.tags.removeLast()
            try await db.save(object)
            try expect(probe.take(), equals: [], "the statements")
            object.tags.append("b")
            try await db.save(object)
            try expect(try await db.fetch(Tracked.self).first?.tags, equals: ["a", "b"], "the tags")
            _ = probe.take()
            object.tags = ["a", "b"]
            try expect(!object.isDirty, "An array that is what was saved is a change.")
            object.tags = []
            try await db.save(object)
            object.tags = []
            try expect(!object.isDirty, "An empty array that is what was saved is a change.")
        },
    ]

    @SuiteActor
    private static func changeWhileSaving(_ db: Database, _ probe: StatementProbe) async throws {
        let sheet = Sheet("one")
        try await db.save(sheet)
        for isRefused in [false, true] {
            let before = sheet.title
            sheet.title = before + "+"
            let (reached, enough) = (Signal(), Signal())
            probe.hold("UPDATE \"sheet\"", reached: reached, until: enough)
            let saving = Task { @SuiteActor in try await db.save(sheet) }
            await reached.wait()
            sheet.title = "other"
            sheet.title = before
            if isRefused { saving.cancel() }
            enough.give()
            let isSaved: Bool
            do {
                try await saving.value
                isSaved = true
            } catch let error as DatabaseError where isRefused && error.code == .cancelled { isSaved = false }
            // The row has what the save wrote, or what was there before, which is what the object has again.
            try expect(sheet.isDirty, equals: isSaved, "whether what was set meanwhile is a change")
            try await db.save(sheet)
            try expect(try await db.texts("SELECT title FROM sheet"), equals: [before], "the title")
            sheet.title = before
            try expect(!sheet.isDirty, "What was saved is a change.")
        }
    }

    /// Expects a change of a saved object to be saved by one statement, or to be none.
    private static func expectChange(
        _ isChange: Bool, _ what: String, of sheet: Sheet, _ db: Database, _ probe: StatementProbe,
        _ change: (Sheet) -> Void
    ) async throws {
        _ = probe.take()
        change(sheet)
        try expect(sheet.isDirty, equals: isChange, "whether this is a change: \(what)")
        try await db.save(sheet)
        try expect(probe.take().count, equals: isChange ? 1 : 0, "statements after this: \(what)")
    }
}
