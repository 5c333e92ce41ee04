import Foundation
import Holdfast

/// Conditions along relations and about arrays.
extension ConformanceCase {
    static let qry2Relations: [ConformanceCase] = [
        asking(
            "qry-2.paths", "QRY-2",
            "Conditions follow references over any number of steps; where one leads nowhere, what follows is nil",
            [
                .typed("nowhere", { $0.boss == nil }, { $0.boss == nil }),
                .typed("somewhere", { $0.boss != nil }, { $0.boss != nil }),
                .typed("a key", { $0.boss.hasKey(1) }, { $0.boss?.id == 1 }),
                .typed("a key by name", { $0.boss.id == 1 }, { $0.boss?.id == 1 }),
                .typed("keys", { $0.boss.in(keys: [1, 2]) }, { $0.boss?.id == 1 || $0.boss?.id == 2 }),
                .typed("a value", { $0.boss.name == "Ada" }, { $0.boss?.name == "Ada" }),
                .typed("another value", { $0.boss.name != "Ada" }, { $0.boss?.name != "Ada" }),
                .typed("no value", { $0.team.city == nil }, { $0.team?.city == nil }),
                .typed("two steps", { $0.boss.boss.age > 0 }, { ($0.boss?.boss?.age).map { $0 > 0 } ?? false }),
                .typed("three steps", { $0.boss.boss.team.name == "Red" }, { $0.boss?.boss?.team?.name == "Red" }),
                .typed("another relation", { $0.team.lead.name == "Smith" }, { $0.team?.lead?.name == "Smith" }),
                .typed("two relations", { $0.boss.team == $0.team }, { $0.boss?.team === $0.team }),
                .typed("two relations", { $0.boss.team != $0.team }, { $0.boss?.team !== $0.team }),
                .typed(
                    "properties of both", { $0.boss.age > $0.age },
                    { engineer in engineer.boss.map { $0.age > engineer.age } ?? false }),
                .typed(
                    "one path twice", { $0.boss.age > 0 && $0.boss.age < 30 },
                    { ($0.boss?.age).map { $0 > 0 && $0 < 30 } ?? false }),
                .typed(
                    "texts", { $0.boss.name.hasPrefix("Sm") || $0.boss.name.lowercased() == "ada" },
                    { ($0.boss?.name.hasPrefix("Sm") ?? false) || $0.boss?.name.lowercased() == "ada" }),
            ]),
        ConformanceCase(
            "qry-2.optional-object", "QRY-2", "A relation is compared with an object that may be nil"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            for boss in [nil] + engineers.prefix(3).map(Optional.some) {
                let all = db.query(Engineer.self)
                let led = try await all.where { $0.boss == boss }.fetch().compactMap(\.id).sorted()
                let others = try await all.where { $0.boss != boss }.fetch().compactMap(\.id).sorted()
                let expected = engineers.filter { $0.boss?.id == boss?.id }.compactMap(\.id).sorted()
                try expect(led, equals: expected, "those of one boss")
                let rest = engineers.compactMap(\.id).filter { !expected.contains($0) }.sorted()
                try expect(others, equals: rest, "those of others")
            }
        },
        asking(
            "qry-2.arrays", "QRY-2", "Conditions ask for elements of arrays, and for their number",
            [
                .typed("a value", { $0.tags.contains("z") }, { $0.tags.contains("z") }),
                .typed("no value", { !$0.tags.contains("z") }, { !$0.tags.contains("z") }),
                .typed(
                    "a value that meets a condition", { $0.tags.contains { $0.hasPrefix("Gr") } },
                    { $0.tags.contains { $0.hasPrefix("Gr") } }),
                .typed("each value", { $0.tags.allSatisfy { $0 == "x" } }, { $0.tags.allSatisfy { $0 == "x" } }),
                .typed("empty", { $0.tags.isEmpty }, { $0.tags.isEmpty }),
                .typed("not empty", { !$0.tags.isEmpty }, { !$0.tags.isEmpty }),
                .typed("count", { $0.tags.count == 4 }, { $0.tags.count == 4 }),
                .typed(
                    "count of some", { $0.tags.count { $0 == "x" } == 2 }, { $0.tags.filter { $0 == "x" }.count == 2 }),
                .typed("nil", { $0.scores == nil }, { $0.scores == nil }),
                .typed("not nil", { $0.scores != nil }, { $0.scores != nil }),
                .typed("empty or nil", { $0.scores.isEmpty }, { $0.scores?.isEmpty ?? true }),
                .typed("numbers", { $0.scores.contains { $0 > 3 } }, { $0.scores?.contains { $0 > 3 } ?? false }),
                .typed(
                    "objects", { $0.reviews.contains { $0.points > 60 } }, { $0.reviews.contains { $0.points > 60 } }),
                .typed(
                    "objects' paths", { $0.reviews.contains { $0.author.age < 0 } },
                    { $0.reviews.contains { ($0.author?.age ?? 0) < 0 } }),
                .typed(
                    "each object", { $0.reviews.allSatisfy { $0.points > 10 } },
                    { $0.reviews.allSatisfy { $0.points > 10 } }),
                .typed("count of objects", { $0.reviews.count > 1 }, { $0.reviews.count > 1 }),
                .typed(
                    "count of some objects", { $0.reviews.count { $0.words == nil } == 1 },
                    { $0.reviews.filter { $0.words == nil }.count == 1 }),
                .typed(
                    "elements and the owner", { engineer in engineer.reviews.contains { $0.points > engineer.age } },
                    { engineer in engineer.reviews.contains { $0.points > engineer.age } }),
                .typed(
                    "an inverse", { $0.team.members.contains { $0.age < -50 } },
                    { $0.team?.members.contains { $0.age < -50 } ?? false }),
                .typed("the count of an inverse", { $0.team.members.count > 6 }, { ($0.team?.members.count ?? 0) > 6 }),
                .typed(
                    "arrays of arrays", { $0.team.members.contains { $0.tags.contains("Green") } },
                    { $0.team?.members.contains { $0.tags.contains("Green") } ?? false }),
                .typed("a key", { $0.reviews.contains(key: 3) }, { $0.reviews.contains { $0.id == 3 } }),
            ]),
        asking(
            "qry-2.text", "QRY-2", "Condition text asks the same, by names",
            [
                .text("age > \(14) AND shoe IS NOT NULL", { $0.age > 14 && $0.shoe != nil }),
                .text("age>14 and not shoe is null", { $0.age > 14 && $0.shoe != nil }),
                .text("(age = 14 OR age = 21) AND isActive", { ($0.age == 14 || $0.age == 21) && $0.isActive }),
                .text("age = 14 OR age = 21 AND isActive", { $0.age == 14 || $0.age == 21 && $0.isActive }),
                .text("NOT (shoe > 7)", { !($0.shoe.map { $0 > 7 } ?? false) }),
                .text("shoe <> 7", { $0.shoe != 7 }),
                .text("name LIKE \("sm%")", { $0.name.lowercased().hasPrefix("sm") }),
                .text("name NOT LIKE 'sm%'", { !$0.name.lowercased().hasPrefix("sm") }),
                .text("name = 'O''Hara'", { $0.name == "O'Hara" }),
                .text("name IN ('Ada', \("B"))", { $0.name == "Ada" || $0.name == "B" }),
                .text("name NOT IN \(["Ada", "B"])", { $0.name != "Ada" && $0.name != "B" }),
                .text("age IN ()", { _ in false }),
                .text("age BETWEEN 7 AND 14 OR age = -60", { (7...14).contains($0.age) || $0.age == -60 }),
                .text("age NOT BETWEEN \(7) AND \(14)", { !(7...14).contains($0.age) }),
                .text("age * 2 + 1 >= 29 - -0", { $0.age * 2 + 1 >= 29 }),
                .text("-age > 20", { -$0.age > 20 }),
                .text("lower(name) = 'smith' AND length(name) = 5", { $0.name.lowercased() == "smith" }),
                .text("boss.name = 'Ada' OR boss IS NULL", { $0.boss?.name == "Ada" || $0.boss == nil }),
                .text("boss = 1", { $0.boss?.id == 1 }),
                .text("boss IN (1, 2)", { $0.boss?.id == 1 || $0.boss?.id == 2 }),
                .text("boss.boss.team.name = 'Red'", { $0.boss?.boss?.team?.name == "Red" }),
                .text("tags CONTAINS 'z'", { $0.tags.contains("z") }),
                .text("'z' IN tags", { $0.tags.contains("z") }),
                .text("tags = 'z' OR tags LIKE 'gr%'", { $0.tags.contains("z") || $0.tags.contains("Green") }),
                .text("NOT tags = 'z'", { !$0.tags.contains("z") }),
                .text("tags IN ('z', 'Green')", { $0.tags.contains("z") }),
                .text("tags IS EMPTY", { $0.tags.isEmpty }),
                .text("scores IS NOT NULL AND scores IS EMPTY", { $0.scores?.isEmpty ?? false }),
                .text("reviews.points > 60", { $0.reviews.contains { $0.points > 60 } }),
                .text("reviews.author.age < 0", { $0.reviews.contains { ($0.author?.age ?? 0) < 0 } }),
                .text("count(reviews) > 1", { $0.reviews.count > 1 }),
                .text("reviews = 3", { $0.reviews.contains { $0.id == 3 } }),
                .text("reviews IN (3, 4)", { $0.reviews.contains { $0.id == 3 || $0.id == 4 } }),
                .text("team.members.age < -50", { $0.team?.members.contains { $0.age < -50 } ?? false }),
                .text("salary > 1000.5 AND salary <> 3000", { $0.salary > 1_000.5 && $0.salary != 3_000 }),
                .text("coalesce(height, 2) > 1", { ($0.height ?? 2) > 1 }),
                .text("COALESCE(shoe, NULL, \(3)) > 5", { ($0.shoe ?? 3) > 5 }),
                .text("height > 1", { ($0.height ?? 0) > 1 }),
                .text("height > \(1)", { ($0.height ?? 0) > 1 }),
                .text("rate = 2.25 OR rate = 3", { $0.rate == 2.25 || $0.rate == 3 }),
                .text(
                    "born > '2001-09-10T00:00:00Z'",
                    { ($0.born ?? .distantPast) > Date(timeIntervalSince1970: 1_000_080_000) }),
                .text(
                    "joined > \(Date(timeIntervalSince1970: 1_000_080_000))",
                    { ($0.joined ?? .distantPast) > Date(timeIntervalSince1970: 1_000_080_000) }),
                .text(
                    "badge = '00000000-0000-4000-8000-000000000004'", { $0.badge?.uuidString.hasSuffix("04") ?? false }),
                .text("grade = 'senior' AND isActive = FALSE", { $0.grade == .senior && !$0.isActive }),
                .text("grade = \(Engineer.Grade.senior)", { $0.grade == .senior }),
                .text(
                    "\"name\" = \"nickname\" OR \(Condition.isNil("shoe"))",
                    { $0.nickname.map { Array($0.utf8) } == Array($0.name.utf8) || $0.shoe == nil }),
                .text("name CONTAINS 'mi'", { $0.name.contains("mi") }),
                .text(["age > \(0)", "shoe IS NULL"], { $0.age > 0 && $0.shoe == nil }),
                .text(["age > \(0)", "OR", "shoe IS NULL"], { $0.age > 0 || $0.shoe == nil }),
                .text(
                    [["age > 0", "or", "shoe IS NULL"], "isActive"], { ($0.age > 0 || $0.shoe == nil) && $0.isActive }),
                .text(
                    [["age > 0", "AND", "shoe IS NULL"], "OR", ["name = 'B'"]],
                    { $0.age > 0 && $0.shoe == nil || $0.name == "B" }),
                .text([], { _ in true }),
                .text(
                    .compare("age", .greaterOrEqual, 14) && .compare("boss.name", .equal, "Ada"),
                    { $0.age >= 14 && $0.boss?.name == "Ada" }),
                .text(
                    .isIn("age", [14, 21]) || .contains("tags", "z"),
                    { $0.age == 14 || $0.age == 21 || $0.tags.contains("z") }),
                .text(.like("name", "sm%"), { $0.name.lowercased().hasPrefix("sm") }),
                .text(
                    .sets([[.compare("age", .greater, 30)], [.isNil("shoe"), .compare("isActive", .equal, true)]]),
                    { $0.age > 30 || $0.shoe == nil && $0.isActive }),
            ]),
        ConformanceCase(
            "qry-2.refused", "QRY-2",
            "Condition text that can't be read, or does not fit the model, is refused and says where"
        ) { environment in
            let (db, _) = try await openSample(environment)
            func refused(_ condition: Condition, _ code: DatabaseError.Code, _ words: String) async throws {
                let error = try await expect(code, from: "a condition whose message says \"\(words)\"") {
                    _ = try await db.query(Engineer.self).where(condition).keys()
                }
                try expect(error.message.contains(words), "The message says \"\(words)\": \(error.message)")
            }
            try await refused("agee > 3", .syntax, "\"age\"")
            try await refused("boss.nam = 'x'", .syntax, "at character 1")
            try await refused("age > 3 AND heigth > 2", .syntax, "at character 13")
            try await refused("age >", .syntax, "at character 6")
            try await refused("age > \(3) ANDD height > 2", .syntax, "at character 9")
            try await refused("(age > 3", .syntax, "\")\"")
            try await refused("name = 'open", .syntax, "quote is not closed")
            try await refused("", .syntax, "empty")
            try await refused("age > 3; DROP TABLE engineer", .syntax, "no meaning")
            try await refused("age", .invalidValue, "\"age\"")
            try await refused("age > 'x'", .invalidValue, "\"age\"")
            try await refused("age > 1.5", .invalidValue, "\"age\"")
            try await refused("shoe > 40000", .invalidValue, "\"shoe\"")
            try await refused("name > 3", .invalidValue, "\"name\"")
            try await refused("age > NULL", .invalidValue, "nil")
            try await refused("age = name", .invalidValue, "different types")
            try await refused("address = 'x'", .invalidValue, "JSON")
            try await refused("boss > 3", .invalidValue, "objects")
            try await refused("age.years = 3", .syntax, "years")
            try await refused("tags + 1 = 3", .invalidValue, "tags")
            try await refused("pg_sleep(3) = 3", .syntax, "no such function")
            try await refused(["age > 3", "AND", "age > 4", "OR", "age > 5"], .syntax, "AND and OR")
            try await refused(Condition(parsing: String(repeating: "(", count: 10_000)), .syntax, "nested")
            try await refused(
                Condition(parsing: String(repeating: "NOT ", count: 10_000) + "age > 3"), .syntax, "nested")
            try await refused(
                Condition(parsing: "age = 1" + String(repeating: "+1", count: 10_000)), .syntax, "too many")
        },
    ]
}
