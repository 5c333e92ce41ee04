import Foundation
import Holdfast

/// Objects with some of their properties.
extension ConformanceCase {
    static let opQueryPartial: [ConformanceCase] = [
        ConformanceCase(
            "op-query.properties", "OP-QUERY",
            "A query for some properties gives objects with those, the key and the timestamps, and with what new objects have for the rest"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let query = db.query(Engineer.self).where { $0.age > -1_000 }.order { $0.name.descending }
            let some = try await query.properties(\.name, \.age, \.tags, \.boss).fetch()
            try expect(some.count, equals: engineers.count, "the number of objects")
            let whole = try await query.fetch()
            for (one, other) in zip(some, whole) {
                try expect(one.id, equals: other.id, "the key")
                try expect(one.name, equals: other.name, "the name")
                try expect(one.age, equals: other.age, "the age")
                try expect(one.tags, equals: other.tags, "the tags")
                try expect(one.boss?.id, equals: other.boss?.id, "the boss")
                try expect(one.salary, equals: 0, "the salary, which was left out")
                try expect(one.nickname == nil && one.reviews.isEmpty && one.team == nil, "Something was not left out.")
                try expect(one.isLoaded(\.name) && one.isLoaded(\.boss), "What was asked for counts as not loaded.")
                try expect(
                    !one.isLoaded(\.salary) && !one.isLoaded(\.reviews) && !one.isLoaded(\.scores),
                    "What was left out counts as loaded.")
                if let boss = one.boss { try expect(!boss.isLoaded(\.salary), "A boss has more than was asked for.") }
            }
            let named = try await query.options(
                QueryOptions(orderBy: [.descending("name")], properties: ["name", "age"])
            )
            .fetch()
            try expect(named.map(\.name), equals: whole.map(\.name), "the names, by options")
            try expect(named.map(\.tags), equals: whole.map { _ in [] }, "the tags, by options")
            var streamed: [String] = []
            for try await one in query.properties(\.name, \.age).stream() {
                try expect(!one.isLoaded(\.salary), "A stream loads what was left out.")
                streamed.append(one.name)
            }
            try expect(streamed, equals: whole.map(\.name), "the names, streamed")
        },
        ConformanceCase(
            "op-query.sparse", "OP-QUERY", "A sparse query gives objects with their keys and timestamps"
        ) { environment in
            let db = try await environment.open(Stamped.self)
            let stamped = Stamped("one")
            try await db.save(stamped)
            let found = try await db.query(Stamped.self).sparse().one()
            try expect(found.id, equals: stamped.id, "the key")
            try expect(found.createdAt, equals: stamped.createdAt, "the creation time")
            try expect(found.modifiedAt, equals: stamped.modifiedAt, "the modification time")
            let (engineers, sample) = try await openSample(environment)
            let sparse = try await engineers.query(Engineer.self).sparse().fetch()
            try expect(sparse.map(\.id), equals: sample.map(\.id), "the keys")
            try expect(sparse.map(\.name), equals: sample.map(\.name), "the names, which no object can be without")
            try expect(sparse.contains { $0.isLoaded(\.boss) }, equals: false, "whether relations were loaded")
        },
        ConformanceCase(
            "op-query.properties-saved", "OP-QUERY",
            "Saving an object never overwrites what was left out of it; setting that is refused; a reload gets all"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let before = try await db.query(Engineer.self).where { $0.reviews.count > 0 && $0.boss != nil }
                .order { $0.id.ascending }.fetch()
            let whole = try expectFirst(before, "engineer with reviews and a boss")
            let query = db.query(Engineer.self).where { $0.id == whole.id }
            let one = try await query.properties(\.name, \.age).one()
            one.age += 7
            try await db.save(one)
            let after = try await query.one()
            try expect(after.age, equals: whole.age + 7, "the age")
            try expect(after.salary, equals: whole.salary, "the salary")
            try expect(after.tags, equals: whole.tags, "the tags")
            try expect(after.reviews.map(\.id), equals: whole.reviews.map(\.id), "the reviews")
            try expect(after.boss?.id, equals: whole.boss?.id, "the boss")
            one.salary = 3
            try await expect(.notLoaded, from: "saving what was left out and then set") { try await db.save(one) }
            one.tags = ["new"]
            try await expect(.notLoaded, from: "saving an array that was left out and then set") {
                try await db.save(one)
            }
            try await db.reload(one)
            try expect(one.salary, equals: whole.salary, "the salary after a reload")
            try expect(one.tags, equals: whole.tags, "the tags after a reload")
            try expect(one.isLoaded(\.salary), "A reloaded property counts as left out.")
            one.tags.append("later")
            one.salary = 3
            try await db.save(one)
            try expect(try await query.one().tags, equals: whole.tags + ["later"], "the tags after a save")
            try expect(try await query.one().salary, equals: 3, "the salary after a save")
        },
        ConformanceCase(
            "op-query.properties-refused", "OP-QUERY",
            "A query is refused that leaves out what no object can be made without, names what is no property, or asks for parts of structs"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let query = db.query(Engineer.self)
            let error = try await expect(.invalidValue, from: "a query without the name") {
                _ = try await query.properties(\.age).fetch()
            }
            try expect(error.message.contains("\"name\""), "The error does not say what is missing: \(error)")
            let unknown = try await expect(.syntax, from: "a query for what is no property") {
                _ = try await query.properties(["name", "age", "salry"]).fetch()
            }
            try expect(unknown.message.contains("\"salary\""), "The error names no near miss: \(unknown)")
            let structs = try await environment.open(Named.self)
            try await expect(.unsupported, from: "a query for some properties of structs") {
                _ = try await structs.query(Named.self).properties(["name"]).fetch()
            }
        },
        ConformanceCase(
            "op-query.properties-deleted", "OP-QUERY",
            "An object that lacks properties is not inserted again after its deletion, nor is a part of it updated that it lacks"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let one = try await db.query(Engineer.self).properties(\.name, \.age).limit(1).one()
            try await expect(.notLoaded, from: "an update of what was left out") {
                try await db.update(one, only: \.salary)
            }
            try await db.update(one, only: \.name)
            try await db.delete(one)
            try await expect(.notLoaded, from: "a save of a deleted object that lacks properties") {
                try await db.save(one)
            }
        },
    ]

    private static func expectFirst<Element>(_ elements: [Element], _ what: String) throws -> Element {
        guard let first = elements.first else { throw ExpectationFailure("There is no \(what).", #fileID, #line) }
        return first
    }
}
