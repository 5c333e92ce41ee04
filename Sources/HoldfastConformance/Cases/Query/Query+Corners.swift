import Foundation
import Holdfast

private let sevenOrNil: [Int16?] = [7, nil]
private let multiples = (0..<1_200).map { $0 * 7 }

/// Errors in combinations of a query's parts.
extension ConformanceCase {
    static let queryCorners: [ConformanceCase] = [
        asking(
            "qry-2.corners", "QRY-2", "Parts of conditions keep their meaning wherever they stand",
            corners),
        ConformanceCase(
            "qry-2.mixed", "QRY-2", "Values of different types, or stored in different ways, are not brought together"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            for text: Condition in [
                "rate = salary", "age + height > 3", "lower(name) = age", "salary * 2 > age", "born = joined",
            ] {
                try await expect(.invalidValue, .unsupported, from: "a condition of two types") {
                    _ = try await all.where(text).keys()
                }
            }
            try await expect(.invalidValue, from: "an assignment of what is stored otherwise") {
                try await all.update { $0.salary.set($0.rate.current) }
            }
            try await expect(.invalidValue, from: "an assignment of a date that is stored otherwise") {
                try await all.update { $0.joined.set($0.born.current) }
            }
            try await expect(.invalidValue, from: "two assignments of one property") {
                try await all.update {
                    $0.age += 1
                    $0.age += 1
                }
            }
            try await expect(.invalidValue, from: "a date that no column can hold") {
                _ = try await all.where("born > '300000-01-01T00:00:00Z'").keys()
            }
            let wide =
                String(repeating: "(", count: 99) + "1" + String(repeating: "*1*1*1*1*1*1*1*1*1*1)", count: 99) + " = 1"
            try await expect(.syntax, from: "too many terms") {
                _ = try await all.where(Condition(parsing: wide)).keys()
            }
            var nested = Columns<Engineer>().age == 14
            for _ in 0..<200 { nested = !nested }
            try expect(
                try await all.where(nested).count(), equals: engineers.filter { $0.age == 14 }.count,
                "those of 200 negations")
            for _ in 0..<400 { nested = !nested }
            try await expect(.invalidValue, from: "600 negations") { _ = try await all.where(nested).count() }
            try await expect(.invalidValue, from: "an aggregate in a condition") {
                _ = try await all.where { $0.rowCount > 3 }.count()
            }
            let path = "boss" + String(repeating: ".boss", count: 10_000) + ".age > 3"
            try await expect(.syntax, from: "too long a path") {
                _ = try await all.where(Condition(parsing: path)).keys()
            }
            try expect(try await db.fetch(Engineer.self).map(\.salary), equals: engineers.map(\.salary), "the salaries")
        },
        ConformanceCase(
            "qry-2.groups", "QRY-2", "Groups are no objects: only their values can be asked for"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let groups = db.query(Engineer.self).group { $0.grade }.having { $0.rowCount > 3 }
            try await expect(.unsupported, from: "a deletion of groups") { try await groups.delete() }
            try await expect(.unsupported, from: "an update of groups") { try await groups.update { $0.age.set(3) } }
            try await expect(.unsupported, from: "a fetch of groups") { _ = try await groups.fetch() }
            try await expect(.unsupported, from: "a count of groups") { _ = try await groups.count() }
            try await expect(.unsupported, from: "a sum of groups") { _ = try await groups.sum { $0.age } }
            try expect(
                try await db.query(Engineer.self).where { $0.age != 3 }.count(), equals: engineers.count,
                "the number left")
            try await expect(.invalidValue, from: "objects that differ in nothing") {
                _ = try await db.query(Engineer.self).distinct(by: [String]()).delete()
            }
            let computed = try await db.query(Engineer.self).group { $0.age % 5 }.select { ($0.age % 5, $0.rowCount) }
                .fetch()
            let expected = Dictionary(grouping: engineers) { $0.age % 5 }
            try expect(computed.map(\.0), equals: expected.keys.sorted(), "the rests")
            for (rest, count) in computed { try expect(count, equals: expected[rest]?.count, "the count of a rest") }
            try await expect(.invalidValue, from: "what is nearly grouped by") {
                _ = try await db.query(Engineer.self).group { $0.age % 5 }.select { ($0.age % 7, $0.rowCount) }.fetch()
            }
            let named = try await db.query(Engineer.self).group { $0.nickname ?? "none" }
                .having { ($0.nickname ?? "none").hasPrefix("S") || ($0.nickname ?? "none").like("n%") }
                .select { ($0.nickname ?? "none", $0.rowCount) }.fetch()
            let names = Dictionary(grouping: engineers) { Array(($0.nickname ?? "none").utf8) }
                .filter { [83, 110, 78].contains($0.key.first) }
            try expect(Set(named.map { Array($0.0.utf8) }), equals: Set(names.keys), "the names")
            try expect(
                try await db.query(Engineer.self).order { $0.name.ascending }.sum { $0.age },
                equals: engineers.reduce(0) { $0 + Int64($1.age) }, "the sum of an ordered query")
        },
        ConformanceCase(
            "agg-1.wide", "AGG-1", "A sum may go beyond its range on the way, and its end may not"
        ) { environment in
            let (db, _) = try await openSample(environment)
            try await db.save([Engineer("wide", age: .max), Engineer("wide", age: 5), Engineer("wide", age: -100)])
            let wide = db.query(Engineer.self).where { $0.name == "wide" }
            try expect(try await wide.sum { $0.age }, equals: Int64.max - 95, "the sum")
            try await wide.update { $0.height.set(1e308) }
            try await expect(.invalidValue, from: "a sum of doubles that overflows") {
                _ = try await wide.sum { $0.height }
            }
            try await wide.update { $0.height.set(1e200) }
            let average = try expect(some: try await wide.average { $0.height }, "the average")
            try expect(abs(average / 1e200 - 1) < 1e-12, "The average of large doubles is right.")
            try await wide.update { $0.salary.set(Decimal(string: "100000000000000000000") ?? 0) }
            try expect(
                try await wide.average { $0.salary }, equals: Decimal(string: "100000000000000000000"),
                "the average of large decimals")
        },
        ConformanceCase(
            "op-query.claims", "OP-QUERY",
            "Of many concurrent updates that look for the same rows, each row is changed by one"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let planned = engineers.filter { $0.grade == .junior }.count
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try await db.query(Engineer.self).where { $0.grade == .junior }.update {
                            $0.grade.set(.senior)
                            $0.age.set(task)
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(total, equals: planned, "the number of rows that were changed")
            let bosses = engineers.filter { $0.boss?.name == "Ada" }.count
            let deleted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.delete() }
                }
                return try await group.reduce(0, +)
            }
            try expect(deleted, equals: bosses, "the number of rows that were deleted")
        },
    ]
}

private var corners: [Question] {
    var questions: [Question] = []
    questions.append(
        .text([["age > 3 OR shoe IS NULL"], "isActive"], { ($0.age > 3 || $0.shoe == nil) && $0.isActive }))
    questions.append(
        .typed(
            "an alternative in a list", { .all([$0.age > 3 || $0.shoe == nil]) && $0.isActive },
            { ($0.age > 3 || $0.shoe == nil) && $0.isActive }))
    questions.append(
        .text("isActive AND age IN (14, shoe)", { $0.isActive && ($0.age == 14 || $0.shoe == Int16($0.age)) }))
    questions.append(.text("age NOT BETWEEN 7 AND 14 AND isActive", { !(7...14).contains($0.age) && $0.isActive }))
    questions.append(.text("scores BETWEEN 2 AND 3", { $0.scores?.contains { (2...3).contains($0) } ?? false }))
    questions.append(.text("NOT scores BETWEEN 2 AND 3", { !($0.scores?.contains { (2...3).contains($0) } ?? false) }))
    questions.append(.text(.compare("shoe", .equal, Int16?.none), { $0.shoe == nil }))
    questions.append(.text(.compare("shoe", .notEqual, Int16?.none), { $0.shoe != nil }))
    questions.append(.text(.isIn("shoe", sevenOrNil), { $0.shoe == 7 || $0.shoe == nil }))
    questions.append(.text("shoe IN \(sevenOrNil)", { $0.shoe == 7 || $0.shoe == nil }))
    questions.append(.text("-shoe > 13", { ($0.shoe ?? 0) < -13 }))
    questions.append(.text("-shoe > 40000", { _ in false }))
    questions.append(.text(.compare("ratio", .less, 3.3), { $0.ratio < 3.3 }))
    questions.append(.text("ratio < 3.3", { $0.ratio < 3.3 }))
    questions.append(.typed("floats", { $0.ratio + 1 == Float(7) / 3 + 1 }, { $0.ratio + 1 == Float(7) / 3 + 1 }))
    questions.append(
        .text("born = \("2001-09-09T01:46:40Z")", { $0.born == Date(timeIntervalSince1970: 1_000_000_000) }))
    questions.append(.typed("an array beyond a relation", { $0.boss.scores == nil }, { $0.boss?.scores == nil }))
    questions.append(.typed("an array beyond a relation", { $0.boss.scores != nil }, { $0.boss?.scores != nil }))
    questions.append(
        .typed("an array that is never nil, beyond a relation", { $0.boss.tags == nil }, { $0.boss?.tags == nil }))
    questions.append(
        .typed(
            "names within an element", { $0.reviews.contains { _ in Condition("points > 60") } },
            { $0.reviews.contains { $0.points > 60 } }))
    questions.append(
        .typed(
            "names within an element",
            { !$0.reviews.contains { _ in Condition.compare("words", .notEqual, String?.none) } },
            { !$0.reviews.contains { $0.words != nil } }))
    questions.append(
        .text("reviews.points > age", { engineer in engineer.reviews.contains { $0.points > engineer.age } }))
    questions.append(
        .typed(
            "many alternatives", { columns in Condition.any(multiples.map { columns.age == $0 }) },
            { $0.age >= 0 && $0.age % 7 == 0 }))
    questions.append(
        .typed(
            "negation of many", { columns in !Condition.all(multiples.map { columns.age != $0 }) },
            { $0.age >= 0 && $0.age % 7 == 0 }))
    return questions
}
