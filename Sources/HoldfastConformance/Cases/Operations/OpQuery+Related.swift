import Foundation
import Holdfast

/// Updates to what other tables hold.
extension ConformanceCase {
    static let opQueryRelated: [ConformanceCase] = [
        graph(
            "op-query.update-related", "OP-QUERY",
            "An update by a query sets properties to what relations and arrays hold"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            for (index, name) in ["red", "blue"].enumerated() {
                let team = Team(name)
                team.city = index == 0 ? "Bonn" : nil
                try await db.save(team)
                let keys = engineers.enumerated().filter { $0.offset % 3 == index }.compactMap(\.element.id)
                try await db.query(Engineer.self).where { $0.id.in(keys) }.update { $0.team.set(team) }
            }
            let before = try await db.query(Engineer.self).including(\.team, \.reviews).fetch()
            let count = try await db.query(Engineer.self).update { engineer, row in
                engineer.nickname.set(row.team.city)
                engineer.name.set(row.name + " of " + (row.team.name.optional ?? "none"))
                engineer.age.set(row.tags.count + row.age)
                engineer.isActive.set(false)
            }
            try expect(count, equals: before.count, "the number of rows")
            let after = try await db.fetch(Engineer.self)
            for (old, new) in zip(before, after) {
                try expect(new.nickname, equals: old.team?.city, "the city of the team")
                try expect(new.name, equals: "\(old.name) of \(old.team?.name ?? "none")", "the name of the team")
                try expect(new.age, equals: old.tags.count + old.age, "the number of tags")
            }
            let reviewed = try await db.query(Engineer.self).where { $0.team != nil }.updateReturning { engineer, row in
                engineer.age.set(row.reviews.count)
            }
            try expect(reviewed.count, equals: before.filter { $0.team != nil }.count, "the number of those changed")
            try expect(reviewed.allSatisfy { $0.age == $0.reviews.count }, "The number of reviews is another.")
            try await expect(.notNullViolation, from: "nil in what can't be nil") {
                try await db.query(Engineer.self).update { engineer, row in engineer.name.set(row.team.name) }
            }
            try await expect(.unsupported, from: "what another row of the same table holds") {
                try await db.query(Engineer.self).update { engineer, row in
                    engineer.nickname.set(row.boss.name.optional)
                }
            }
            // A key is in the row itself.
            try await db.query(Review.self).update { review, row in review.points.set(row.points * 2) }
        }
    ]
}
