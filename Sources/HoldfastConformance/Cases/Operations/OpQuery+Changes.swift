import Foundation
import Holdfast

/// Changing and deleting what a query finds.
extension ConformanceCase {
    static let opQueryChanges: [ConformanceCase] = [
        ConformanceCase(
            "op-query.update", "OP-QUERY",
            "An update by a query sets properties of all that it finds, and says how many"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let old = engineers.filter { $0.age > 20 }
            let count = try await db.query(Engineer.self).where { $0.age > 20 }.update {
                $0.nickname.set("old")
                $0.age += 1
                $0.shoe.set(nil)
                $0.bonus.set(12.5)
                $0.joined.set(Date(timeIntervalSince1970: 5))
                $0.rate.set(1.25)
                $0.grade.set(.principal)
                $0.boss.set(engineers[0])
            }
            try expect(count, equals: old.count, "the number of rows")
            for engineer in try await db.fetch(Engineer.self) {
                let before = try expect(some: engineers.first { $0.id == engineer.id }, "the engineer")
                let isOld = before.age > 20
                try expect(engineer.age, equals: isOld ? before.age + 1 : before.age, "the age")
                try expect(engineer.nickname, equals: isOld ? "old" : before.nickname, "the nickname")
                try expect(engineer.shoe, equals: isOld ? nil : before.shoe, "the shoe")
                try expect(engineer.bonus, equals: isOld ? 12.5 : before.bonus, "the bonus")
                try expect(engineer.rate, equals: isOld ? 1.25 : before.rate, "the rate")
                try expect(engineer.joined, equals: isOld ? Date(timeIntervalSince1970: 5) : before.joined, "the day")
                try expect(engineer.boss?.id, equals: isOld ? engineers[0].id : before.boss?.id, "the boss")
            }
            let computed = try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.order { $0.age.descending }
                .limit(2)
                .update { $0.name.set($0.name.current + "!") }
            try expect(computed, equals: 2, "the number of rows of a query that is cut")
            try expect(
                try await db.query(Engineer.self).where { $0.name.hasSuffix("!") }.count(), equals: 2,
                "the changed names")
            try await expect(.invalidValue, from: "a result that does not fit") {
                try await db.query(Engineer.self).where { $0.id == engineers[1].id }.update {
                    $0.shoe.set($0.shoe.current + 32_767)
                }
                try await db.query(Engineer.self).update { $0.shoe.set($0.shoe.current + 32_767) }
            }
            try await expect(.invalidValue, from: "a key") { try await db.query(Engineer.self).update { $0.id.set(3) } }
            try await expect(.invalidValue, from: "nothing") { try await db.query(Engineer.self).update { _ in } }
            let everyone = try await db.query(Engineer.self).update { $0.isActive.set(false) }
            try expect(everyone, equals: engineers.count, "the number of all")
        },
        graph(
            "op-query.update-references", "OP-QUERY",
            "An update by a query sets references, and relations, by keys, and nothing is fetched"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Bill.self, Receipt.self) { probe.attach(to: &$0) }
            let buyers = ["ann@example.org", "bob@example.org"].map { Buyer($0, "N") }
            try await db.save(buyers)
            let place = Place("DE", 3, UUID(), name: "Bonn")
            try await db.save(place)
            let shift = Shift(Date(timeIntervalSince1970: 1_700_000_000), "early")
            try await db.save(shift)
            let bill = Bill(debtor: Reference(buyers[0]))
            try await db.save(bill)
            let bills = db.query(Bill.self)
            try expect(try await bills.count(), equals: 1, "the number of bills")
            _ = probe.take()
            try await bills.update {
                $0.debtor.set(key: "bob@example.org")
                $0.payer.set(Reference(key: "ann@example.org"))
                $0.place.set(key: Key("DE", 3 as Int32, place.token))
                $0.shift.set(key: shift.start)
                $0.seller.set(key: "ann@example.org")
            }
            try expect(probe.take().count, equals: 1, "the number of statements")
            try await db.reload(bill)
            try expect(bill.debtor == Reference(buyers[1]) && bill.payer == Reference(buyers[0]), "A key is another.")
            try expect(try await bill.place?.load(from: db)?.name, equals: "Bonn", "the place")
            try expect(try await bill.shift?.load(from: db)?.name, equals: "early", "the shift")
            try expect(bill.seller?.email, equals: "ann@example.org", "the seller")
            try await bills.update {
                $0.debtor.set(buyers[0])
                $0.payer.set(nil)
                $0.place.set(nil)
                $0.seller.set(nil)
            }
            try await db.reload(bill)
            try expect(bill.debtor == Reference(buyers[0]) && bill.payer == nil && bill.place == nil, "A key is left.")
            try expect(bill.seller == nil, "The seller is left.")
            try await expect(.foreignKeyViolation, from: "a key that leads to no row") {
                try await bills.update { $0.payer.set(key: "nobody@example.org") }
            }
            try await expect(.foreignKeyViolation, from: "a key that leads to no row, of a relation") {
                try await bills.update { $0.seller.set(key: "nobody@example.org") }
            }
            try await expect(.invalidValue, from: "a key of another type") {
                try await bills.update { $0.payer.set(key: 7) }
            }
            try await expect(.invalidValue, from: "a reference that is never nil") {
                try await bills.update { $0.debtor.set(nil) }
            }
            try await db.reload(bill)
            try expect(bill.payer == nil && bill.seller == nil, "A refused update has changed something.")
            let receipt = Receipt(total: Choice("12"))
            try await db.save(receipt)
            let choice = try await db.save(Choice("14"))
            try await db.query(Receipt.self).update { $0.total.set(key: choice.id ?? 0) }
            try await db.reload(receipt)
            try expect(receipt.total, equals: choice, "the total")
            try await expect(.invalidValue, from: "a reference to a new object") {
                try await db.query(Receipt.self).update { $0.customer.set(Reference(Employee("new"))) }
            }
        },
        ConformanceCase(
            "op-query.update-times", "OP-QUERY", "An update by a query sets modification times"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let stamped = Stamped("a")
            try await db.save(stamped)
            let before = try expect(some: stamped.modifiedAt, "the time of the save")
            try await Task.sleep(for: .milliseconds(3))
            try await db.query(Stamped.self).update { $0.text.set("b") }
            try await db.reload(stamped)
            try expect(stamped.text, equals: "b", "the text")
            try expect(try expect(some: stamped.modifiedAt, "the time of the update") > before, "The time is later.")
        },
        ConformanceCase(
            "op-query.delete", "OP-QUERY",
            "A deletion by a query deletes what it finds by every rule, and says how many"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let gone = engineers.filter { $0.boss?.name == "Ada" }
            let count = try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.delete()
            try expect(count, equals: gone.count, "the number of rows")
            let rest = try await db.fetch(Engineer.self)
            try expect(rest.count, equals: engineers.count - gone.count, "the number left")
            let ids = Set(gone.compactMap(\.id))
            for engineer in rest {
                let before = try expect(some: engineers.first { $0.id == engineer.id }, "the engineer")
                let isGone = before.boss?.id.map(ids.contains) ?? false
                try expect(engineer.boss?.id, equals: isGone ? nil : before.boss?.id, "the boss of one that is left")
            }
            try expect(
                try await db.query(Engineer.self).limit(2).delete(), equals: 2,
                "the number of rows of a query that is cut")
            try expect(try await db.query(Engineer.self).delete(), equals: rest.count - 2, "the number of all")
        },
        ConformanceCase(
            "op-query.transaction", "OP-QUERY",
            "A query in a transaction sees what the transaction did, and is undone with it"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            struct Undone: Error {}
            do {
                try await db.transaction { transaction in
                    let changed = try await transaction.query(Engineer.self).where { $0.age > 20 }.update {
                        $0.age.set(99)
                    }
                    try expect(
                        try await transaction.query(Engineer.self).where { $0.age == 99 }.count(), equals: changed,
                        "the count within")
                    try await transaction.query(Engineer.self).where { $0.age == 99 }.delete()
                    throw Undone()
                }
            } catch is Undone {}
            try expect(
                try await db.query(Engineer.self).count(), equals: engineers.count, "the count after it was undone")
            try expect(
                try await db.query(Engineer.self).where { $0.age == 99 }.exists(), equals: false,
                "whether a change is left")
            try await expect(.conflict, from: "a query without a database") {
                _ = try await Query(Engineer.self).fetch()
            }
            try expect(
                try await Query(Engineer.self).where { $0.age > 20 }.on(db).count(),
                equals: engineers.filter { $0.age > 20 }.count, "the count of a query by itself")
        },
    ]
}
