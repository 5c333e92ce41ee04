import Foundation
import Holdfast

extension ConformanceCase {
    static let qry1: [ConformanceCase] = [
        ConformanceCase(
            "qry-1.greatest-numbers", "QRY-1",
            "A query with the greatest limit there is finds all, and one with the greatest offset none"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("a"), Note("b")])
            let all = db.query(Note.self).order(\.title)
            try expect(try await all.limit(.max).fetch().count, equals: 2, "all")
            try expect(try await all.limit(.max).offset(1).fetch().count, equals: 1, "all but one")
            try expect(try await all.offset(.max).fetch().count, equals: 0, "none")
            try expect(try await all.depth(.max).fetch().count, equals: 2, "all, to any depth")
            try expect(try await all.page(size: .max - 1).objects.count, equals: 2, "a page")
            try await expect(.invalidValue, from: "a page of all numbers") { _ = try await all.page(size: .max) }
            try await expect(.invalidValue, from: "a page of fewer than none") { _ = try await all.page(size: .min) }
            try await expect(.invalidValue, from: "fewer than none") { _ = try await all.limit(.min).fetch() }
        },
        ConformanceCase(
            "qry-1.distinct", "QRY-1",
            "Of objects that are the same in some properties a query gives one, the one with the lowest key"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            func firsts(_ objects: [Engineer], _ group: (Engineer) -> String) -> [Int64] {
                var seen: Set<String> = []
                return objects.filter { seen.insert(group($0)).inserted }.compactMap(\.id).sorted()
            }
            let all = db.query(Engineer.self)
            try expect(
                try await all.distinct { $0.grade }.fetch().compactMap(\.id),
                equals: firsts(engineers) { $0.grade.rawValue },
                "one of each grade")
            try expect(
                try await all.distinct { ($0.grade, $0.isActive) }.fetch().compactMap(\.id),
                equals: firsts(engineers) { "\($0.grade) \($0.isActive)" }, "one of each grade, active and not")
            try expect(
                try await all.where { $0.age > 20 }.distinct { $0.shoe }.count(),
                equals: firsts(engineers.filter { $0.age > 20 }) { "\($0.shoe as Int16?)" }.count,
                "the count of those that differ in what can be nil, under a condition")
            let oldest = try await all.distinct(by: ["grade"], keeping: [.descending("age")]).fetch()
            let expected = [Engineer.Grade.junior, .senior, .principal].map { grade in
                engineers.filter { $0.grade == grade }.max { $0.age < $1.age }?.age
            }
            try expect(Set(oldest.map(\.age)), equals: Set(expected.compactMap { $0 }), "the oldest of each grade")
            let cut = try await all.where { $0.age > 0 }.distinct { $0.grade }.order { $0.name.descending }.limit(2)
                .fetch()
            try expect(cut.count, equals: 2, "two of the grades")
        },
        ConformanceCase(
            "qry-1.distinct-all", "QRY-1",
            "Distinct objects without properties differ in a column, and distinct values come once"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = [("a", 1), ("b", 1), ("a", 1), ("a", 2), ("b", 3)].map { Note($0.0, rank: $0.1) }
            try await db.save(notes)
            let query = db.query(Note.self)
            try expect(
                try await query.distinct().fetch().map(\.id), equals: [0, 1, 3, 4].map { notes[$0].id }, "the objects")
            try expect(
                try await query.where { $0.id > notes[0].id ?? 0 }.distinct().count(), equals: 4,
                "the number of those that meet a condition")
            try expect(
                try await query.select { $0.title }.distinct().fetch(), equals: ["a", "b"], "the values")
            try expect(
                try await query.order(\.rank, .descending).select { $0.rank }.distinct().fetch(), equals: [3, 2, 1],
                "the values in an order")
            let pairs = try await query.select { ($0.title, $0.rank) }.distinct().fetch()
            try expect(pairs.map { "\($0)\($1)" }, equals: ["a1", "a2", "b1", "b3"], "the tuples")
            var streamed: [String] = []
            for try await title in query.select({ $0.title }).distinct().stream() { streamed.append(title) }
            try expect(streamed, equals: ["a", "b"], "the values, streamed")
            try await expect(.unsupported, from: "distinct aggregates") {
                _ = try await query.select { $0.rank.sum }.distinct().fetch()
            }
        },
        ConformanceCase(
            "qry-1.distinct-targets", "QRY-1", "Of those with the same target of a relation, one is given"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            var seen = Set<Int64?>()
            let expected = engineers.filter { seen.insert($0.boss?.id).inserted }.map(\.id)
            let found = try await db.query(Engineer.self).distinct { $0.boss }.fetch().map(\.id)
            try expect(found, equals: expected, "the first of each boss")
            seen = []
            let last = engineers.reversed().filter { seen.insert($0.boss?.id).inserted }.map(\.id)
            let kept = try await db.query(Engineer.self).distinct {
                $0.boss
            } keeping: {
                [$0.id.descending]
            }.fetch()
            try expect(Set(kept.map(\.id)), equals: Set(last), "the last of each boss")
        },
    ]
}
