import Foundation
import Holdfast

/// Objects that are inserted, or whose rows are found by a unique key and updated.
extension ConformanceCase {
    static let opUpsert: [ConformanceCase] = [
        ConformanceCase(
            "op-upsert.by-unique-key", "OP-UPSERT",
            "An upsert inserts what is new, updates the row that has the unique key, and the object is then what that row is"
        ) { environment in
            let db = try await environment.open(Member.self)
            let first = Member("a@x", visits: 1, note: "first")
            try await db.upsert(first, on: \.email)
            try expect(first.id != nil && !first.isDirty && first.createdAt != nil, "The new object was not inserted.")
            let second = Member("a@x", visits: 2)
            try await db.upsert(second, on: \.email)
            try expect(second.id, equals: first.id, "the key of the row that was there")
            try expect(second.createdAt, equals: first.createdAt, "the creation time")
            try expect(second.visits, equals: 2, "what was updated")
            try expect(second.modifiedAt ?? .distantPast >= first.modifiedAt ?? .distantFuture, "The modification time")
            try expect(!second.isDirty, "Something is left to be saved.")
            let stored = try await db.query(Member.self).one()
            try expect(stored.visits, equals: 2, "the visits that are stored")
            try expect(stored.note == nil, "A nil was not written.")
            second.visits = 3
            try await db.save(second)
            try expect(try await db.query(Member.self).one().visits, equals: 3, "the visits after a save")
            for visits in 4...5 {
                second.visits = visits
                try await db.upsert(second, on: \.email)
            }
            try expect(try await db.query(Member.self).one().visits, equals: 5, "the visits after further upserts")
            let third = Member("b@x")
            try await db.upsert(third, on: \.email)
            try expect(third.id != nil && third.id != first.id, "Another key was not inserted.")
            try expect(try await db.count(Member.self), equals: 2, "the number of rows")
        },
        ConformanceCase(
            "op-upsert.choice", "OP-UPSERT",
            "Of a row that exists an upsert updates what was chosen, and the rest is set in the object"
        ) { environment in
            let db = try await environment.open(Member.self)
            let first = Member("a@x", login: "one", visits: 1, note: "kept")
            try await db.save(first)
            let second = Member("a@x", login: "two", visits: 2, note: "dropped")
            try await db.upsert(second, on: \.email, updating: [\.visits])
            try expect(second.visits, equals: 2, "what was chosen")
            try expect(second.note, equals: "kept", "what was not")
            try expect(second.login, equals: "one", "nor this")
            try expect(!second.isDirty, "Something is left to be saved.")
            let third = Member("a@x", visits: 99)
            try await db.upsert(third, on: \.email, updating: [])
            try expect(third.visits, equals: 2, "what the row held, where nothing is updated")
            try expect(third.id, equals: first.id, "its key")
            try expect(third.modifiedAt, equals: second.modifiedAt, "the modification time, where nothing is updated")
            let fourth = Member("b@x", visits: 4, note: "new")
            try await db.upsert(fourth, on: \.email, updating: [])
            try expect(fourth.note, equals: "new", "what was inserted")
            let stored = try await db.query(Member.self).order { $0.id.ascending }.fetch()
            try expect(stored.map(\.visits), equals: [2, 4], "the visits that are stored")
            try expect(stored.map(\.note), equals: ["kept", "new"], "the notes that are stored")
        },
        ConformanceCase(
            "op-upsert.keys", "OP-UPSERT",
            "An upsert goes by the primary key, by a property or by several; by what is not unique it is refused"
        ) { environment in
            let db = try await environment.open(Member.self)
            let first = Member("a@x", realm: "one", login: "joe")
            try await db.upsert(first)
            let second = Member("b@x", realm: "one", login: "joe", visits: 7)
            try await db.upsert(second, on: \.login, \.realm)
            try expect(second.id, equals: first.id, "the row found by two properties")
            try expect(try await db.query(Member.self).one().email, equals: "b@x", "its email")
            let third = Member("c@x", realm: "two", login: "ann")
            third.id = first.id
            try await db.upsert(third)
            let stored = try await db.query(Member.self).one()
            try expect(stored.login, equals: "ann", "the row found by its primary key")
            try expect(third.createdAt, equals: first.createdAt, "its creation time")
            let error = try await expect(.syntax, from: "an upsert by what is not unique") {
                try await db.upsert(Member("d@x"), on: \.visits)
            }
            try expect(error.message.contains("\"email\""), "The error names no unique keys: \(error.message)")
            try await expect(.syntax, from: "an upsert by half a key") { try await db.upsert(third, on: \.realm) }
            try await expect(.syntax, from: "an upsert by what is not kept") {
                try await db.upsert(third, on: \.isDirty)
            }
            try await expect(.unsupported, from: "an upsert that updates the key") {
                try await db.upsert(third, on: \.email, updating: [\.id])
            }
            try await expect(.unsupported, from: "an upsert that updates what it goes by") {
                try await db.upsert(third, on: \.email, updating: [\.email])
            }
            for _ in 0..<2 { try await db.upsert(Member(nil), on: \.email) }
            try expect(try await db.count(Member.self), equals: 3, "the rows, where nil is found by no key")
        },
        ConformanceCase(
            "op-upsert.refused", "OP-UPSERT",
            "An upsert that another unique key refuses changes neither the database nor an object"
        ) { environment in
            let db = try await environment.open(Member.self)
            try await db.save([Member("a@x", login: "one"), Member("b@x", login: "two")])
            let members = [Member("c@x", visits: 5), Member("a@x", login: "two", visits: 6)]
            let error = try await expect(.uniqueViolation, from: "an upsert beside another key") {
                try await db.upsert(members, on: \.email)
            }
            try expect(error.objectIndex, equals: 1, "the object that the error is about")
            try expect(
                members.allSatisfy { $0.id == nil && $0.createdAt == nil && $0.isDirty }, "An object was changed.")
            try expect(
                try await db.query(Member.self).fetch().map(\.visits), equals: [1, 1], "the visits that are stored")
            let taken = try await db.query(Member.self).where { $0.email == "a@x" }.one()
            taken.email = "b@x"
            taken.login = "three"
            let conflict = try await expect(.conflict, from: "an upsert of an object with a row as that of another") {
                try await db.upsert(taken, on: \.email)
            }
            try expect(conflict.objectIndex == nil, "An error about one object counts it.")
            try expect(try await db.count(Member.self), equals: 2, "the number of rows")
            taken.email = "a@x"
            try await db.upsert(taken, on: \.email)
            try expect(
                try await db.find(Member.self, key: taken.id ?? 0)?.login, equals: "three", "the login of its own row")
        },
        ConformanceCase(
            "op-upsert.many", "OP-UPSERT",
            "An upsert of many inserts some and updates others, in one transaction, unless two are the same row"
        ) { environment in
            let db = try await environment.open(Member.self, Coupon.self)
            let old = (0..<50).map { Member("\($0)@x", visits: 1, note: "old") }
            try await db.save(old)
            let new = (0..<100).map { Member("\($0 * 2)@x", login: "new \($0)", visits: 2, note: nil) }
            try await db.upsert(new, on: \.email, updating: [\.visits])
            for (index, member) in new.enumerated() {
                let known = index * 2 < 50 ? old[index * 2] : nil
                try expect(member.note, equals: known?.note, "the note of \(index)")
                try expect(known == nil || known?.id == member.id, "Object \(index) is not its row.")
            }
            try expect(Set(new.map(\.id)).count, equals: 100, "the number of keys")
            try expect(try await db.count(Member.self), equals: 125, "the number of rows")
            try expect(
                try await db.query(Member.self).where { $0.visits == 2 }.count(), equals: 100,
                "the rows that were written")
            let twice = [Member("n@x", visits: 8), Member("o@x", visits: 8), Member("n@x", visits: 9)]
            let error = try await expect(.conflict, from: "an upsert of two objects that are one row") {
                try await db.upsert(twice, on: \.email)
            }
            try expect(error.objectIndex, equals: 2, "the object that the error is about")
            try expect(twice.allSatisfy { $0.id == nil && $0.isDirty }, "An object was changed.")
            try expect(try await db.count(Member.self), equals: 125, "the number of rows after an error")

            let coupons = try await db.upsert(
                [Coupon(code: "a", percent: 10), Coupon(code: "b", percent: 20)], on: \.code)
            let again = try await db.upsert(
                [Coupon(code: "c", percent: 30), Coupon(code: "a", percent: 15, uses: 4)], on: \.code,
                updating: [\.percent])
            try expect(again[1], equals: Coupon(id: coupons[0].id, code: "a", percent: 15), "the row of a struct")
            try expect(again[0].id != nil && again[0].percent == 30, "The new struct was not inserted.")
            let one = try await db.upsert(Coupon(code: "b", percent: 1), on: \.code, updating: [])
            try expect(one, equals: coupons[1], "a struct of which nothing is updated")
        },
        ConformanceCase(
            "op-upsert.given-keys", "OP-UPSERT",
            "An object that made its key itself takes that of the row that is found; what refers to it gets that one, too"
        ) { environment in
            let db = try await environment.open(Reading.self, Voucher.self)
            let known = Device("s1", name: "old")
            try await db.save(known)
            let device = Device("s1", name: "new")
            let given = device.id
            try await db.upsert(device, on: \.serial)
            try expect(device.id, equals: known.id, "the key")
            try expect(device.id != given, "The key is as before.")
            try expect(try await db.find(Device.self, key: known.id)?.name, equals: "new", "the name")
            let other = Device("s2", name: "other")
            let key = other.id
            try await db.upsert(other, on: \.serial)
            try expect(other.id, equals: key, "the key of a new object")
            try await db.save(Reading(device, 1.5))
            try expect(try await db.query(Reading.self).one().device.serial, equals: "s1", "the device of a reading")

            try await db.save(Voucher(1, "a", rank: 1))
            try await db.upsert(Voucher(1, "a", rank: 2), on: \.code)
            let refused = Voucher(2, "a", rank: 3)
            for _ in 0..<2 {
                try await expect(.conflict, from: "an upsert of an object whose key can't be set") {
                    try await db.upsert(refused, on: \.code)
                }
                try await db.transaction { tx in
                    try await expect(.conflict, from: "the same in a transaction that goes on") {
                        try await tx.upsert(refused, on: \.code)
                    }
                }
            }
            try expect(try await db.query(Voucher.self).one().rank, equals: 2, "what is stored after errors")
            try expect(refused.isDirty && refused.rank == 3, "The object was changed.")
            let fixed = Voucher(1, "a", rank: 4, series: "other")
            try await expect(.conflict, from: "an upsert that leaves out what can't be set") {
                try await db.upsert(fixed, on: \.code, updating: [\.rank])
            }
            try await db.upsert(fixed, on: \.code)
            let stored = try await db.query(Voucher.self).one()
            try expect(stored.series, equals: "other", "what was updated")
            try expect(stored.rank, equals: 4, "what is stored in the end")
        },
        ConformanceCase(
            "op-upsert.misfit", "OP-UPSERT",
            "An upsert of a row that does not fit the type changes neither the database nor an object"
        ) { environment in
            let db = try await environment.open(Reader.self)
            let reader = Reader("a", .gold)
            try await db.save(reader)
            try await db.sql("UPDATE reader SET level = \("platinum"), visits = \(7)").execute()
            let readers = [Reader("b", .silver), Reader("a", .gold)]
            readers[1].visits = 1
            for _ in 0..<2 {
                let error = try await expect(.decoding, from: "an upsert of what does not fit") {
                    try await db.upsert(readers, on: \.name, updating: [\.visits])
                }
                try expect(error.objectIndex, equals: 1, "the object that the error is about")
                try expect(readers.allSatisfy { $0.id == nil && $0.isDirty }, "An object was changed.")
                try expect(readers[1].level == .gold && readers[1].visits == 1, "The object has other values.")
            }
            try await db.transaction { tx in
                try await expect(.decoding, from: "the same in a transaction that goes on") {
                    try await tx.upsert(readers, on: \.name, updating: [\.visits])
                }
            }
            try expect(try await db.count(Reader.self), equals: 1, "the rows")
            try expect(try await db.number("SELECT visits FROM reader"), equals: 7, "what is stored")
            try await db.upsert(readers, on: \.name)
            try expect(try await db.fetch(Reader.self).map(\.visits), equals: [1, 0], "the rows in the end")
        },
        ConformanceCase(
            "op-upsert.rolled-back", "OP-UPSERT",
            "Objects of an upsert in a transaction that rolls back are as they were"
        ) { environment in
            let db = try await environment.open(Member.self)
            let first = Member("a@x", visits: 1, note: "old")
            first.labels = ["x"]
            try await db.save(first)
            let second = Member("a@x", login: "second", visits: 2, note: "new")
            do {
                try await db.transaction { tx in
                    try await tx.upsert(second, on: \.email, updating: [\.visits])
                    try expect(second.note, equals: "old", "the note inside the transaction")
                    try expect(second.login, equals: "a@x", "the login inside the transaction")
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try expect(second.id == nil && second.createdAt == nil, "What the row made is still there.")
            try expect(second.note, equals: "new", "the note after the rollback")
            try expect(second.isDirty, "Nothing is left to be saved.")
            try expect(try await db.query(Member.self).one().visits, equals: 1, "the visits that are stored")
            second.email = "b@x"
            second.labels = ["y"]
            try await db.save(second)
            try expect(
                try await db.query(Member.self).where { $0.email == "b@x" }.one().labels, equals: ["y"],
                "the labels of what was saved after all")
        },
        ConformanceCase(
            "op-upsert.all", "OP-UPSERT",
            "Structs are upserted without anything being read back: in their order, all or none"
        ) { environment in
            let db = try await environment.open(Gauge.self)
            for count in [1, 3, 200] {
                let sensor = "of \(count)"
                let all = db.query(Gauge.self).where { $0.sensor == sensor }.order(\.minute)
                try await db.upsertWithoutReturning(
                    (0..<count).map { Gauge(sensor: sensor, minute: $0, value: 0.5, note: "old") })
                let old = try await all.fetch()
                try expect(old.map(\.minute), equals: Array(0..<count), "the rows of \(count)")
                try expect(old.allSatisfy { $0.version == 0 && $0.createdAt != nil }, "Something was not set.")
                let new = (0...count).map { Gauge(sensor: sensor, minute: $0, value: 1.5) }
                try await db.upsertWithoutReturning(new, updating: [\.value])
                let updated = try await all.fetch()
                for (index, gauge) in updated.enumerated() {
                    let isOld = index < count
                    try expect(gauge.value, equals: 1.5, "the value of \(index) of \(count)")
                    try expect(gauge.note, equals: isOld ? "old" : nil, "the note of \(index) of \(count)")
                    try expect(gauge.version, equals: isOld ? 1 : 0, "the version of \(index) of \(count)")
                    try expect(
                        !isOld || gauge.createdAt == old[index].createdAt, "A creation time was changed.")
                }
                // Of those with one key, the last one stays.
                try await db.upsertWithoutReturning(new + [Gauge(sensor: sensor, minute: 0, value: 2.5)])
                let last = try await all.fetch()
                try expect(last[0].value, equals: 2.5, "the value that came last, of \(count)")
                try expect(last[0].note == nil, "The note was not updated.")
                try expect(last[0].version, equals: 3, "the version after two more updates, of \(count)")
                try expect(last.count, equals: count + 1, "the number of rows")

                let error = try await expect(.invalidValue, from: "a value that no column can hold, of \(count)") {
                    try await db.upsertWithoutReturning(
                        new.map {
                            Gauge(sensor: "none", minute: $0.minute, value: 1, note: $0.minute == count ? "\0" : nil)
                        })
                }
                try expect(error.objectIndex, equals: count, "the value that the error is about")
            }
            try expect(
                try await db.query(Gauge.self).where { $0.sensor == "none" }.count(), equals: 0, "what was refused")
        },
        ConformanceCase(
            "op-upsert.all-undone", "OP-UPSERT",
            "Upserts of which nothing is read back are undone with their transaction, and can go by another unique key"
        ) { environment in
            let db = try await environment.open(Gauge.self, Coupon.self)
            try await db.upsertWithoutReturning([Gauge]())
            _ = try? await db.transaction { tx in
                try await tx.upsertWithoutReturning([Gauge(sensor: "undone", minute: 1, value: 1)])
                try expect(
                    try await tx.find(Gauge.self, key: Key("undone", 1)) != nil, "The transaction does not see it.")
                throw CancellationError()
            }
            try expect(try await db.find(Gauge.self, key: Key("undone", 1)) == nil, "It was not rolled back.")
            // With another unique key, and keys that the engine makes.
            try await db.upsertWithoutReturning(
                [Coupon(code: "a", percent: 1), Coupon(code: "b", percent: 2)], on: \.code)
            try await db.upsertWithoutReturning([Coupon(code: "b", percent: 3)], on: \.code)
            try expect(
                try await db.query(Coupon.self).order(\.code).fetch().map(\.percent), equals: [1, 3], "the coupons")
        },
        ConformanceCase(
            "op-upsert.concurrent", "OP-UPSERT",
            "Tasks that upsert one key at the same time all succeed, and there is one row"
        ) { environment in
            let db = try await environment.open(Coupon.self)
            let keys = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try await db.upsert(Coupon(code: "same", percent: number), on: \.code).id
                    }
                }
                var keys: Set<Int64?> = []
                for try await key in group { keys.insert(key) }
                return keys
            }
            try expect(keys.count, equals: 1, "the number of keys")
            try expect(try await db.count(Coupon.self), equals: 1, "the number of rows")
        },
    ]
}
