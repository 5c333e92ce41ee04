import Foundation
import Holdfast

extension ConformanceCase {
    static let qry2: [ConformanceCase] = [
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
        ConformanceCase("qry-2.single", "QRY-2", "One selected value comes as itself, several as a tuple") {
            environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let ages = try await all.select { $0.age }.fetch()
            try expect(ages.max(), equals: engineers.map(\.age).max(), "the greatest of the values")
            try expect(ages, equals: engineers.map(\.age), "the values")
            try expect(try await all.select(\.name).first(), equals: engineers[0].name, "the first value")
            let shoes: [Int16?] = try await all.select { $0.shoe }.fetch()
            try expect(shoes, equals: engineers.map(\.shoe), "values that can be nil")
            var streamed: [String] = []
            for try await name in all.select({ $0.name }).stream() { streamed.append(name) }
            try expect(streamed, equals: engineers.map(\.name), "the values of a stream")
            let pairs = try await all.select { ($0.name, $0.age) }.fetch()
            try expect(pairs.map(\.0), equals: engineers.map(\.name), "the first of two values")
            let counts = try await all.group { $0.grade }.select { $0.rowCount }.fetch()
            try expect(counts.reduce(0, +), equals: engineers.count, "the sizes of all groups")
            try await expect(.decoding, from: "a nil that was not expected") {
                _ = try await all.select { $0.boss.name }.fetch()
            }
        },
        ConformanceCase("qry-2.key-paths", "QRY-2", "An order and the relations to load are named by key paths") {
            environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            func names(_ query: Query<Engineer>) async throws -> [String] { try await query.fetch().map(\.name) }
            try expect(
                try await names(all.order(\.name)), equals: try await names(all.order { $0.name.ascending }),
                "the names in their order")
            try expect(
                try await names(all.order(\.age, .descending)),
                equals: try await names(all.order { $0.age.descending }), "those by age")
            try expect(
                try await names(all.order(\.boss.name, .descending)),
                equals: try await names(all.order { $0.boss.name.descending }), "those by the name of another")
            let some = try await all.depth(0).including(\.boss, \.reviews).fetch()
            try expect(
                some.allSatisfy { $0.isLoaded(\.boss) && $0.isLoaded(\.reviews) },
                "A relation that was named is not loaded.")
            try expect(!some.contains { $0.isLoaded(\.team) }, "A relation that was not named is loaded.")
            try await expect(.invalidValue, from: "what is no relation") { _ = try await all.including(\.name).fetch() }
        },
        ConformanceCase(
            "qry-2.unreferenced", "QRY-2",
            "A query finds the objects that nothing holds in relations of every kind, and can delete them",
            level: .graph
        ) { environment in
            let db = try await environment.open(Gathering.self, Article.self, Branch.self)
            let people = ["a", "b", "c", "d"].map { Employee($0) }
            people[0].spouse = people[1]
            people[1].siblings = [people[2], people[2]]
            let gathering = Gathering("g")
            gathering.participants = [people[0]]
            try await db.save(people)
            try await db.save(gathering)
            func names(_ query: Query<Employee>) async throws -> String {
                try await query.order(\.name).fetch().map(\.name).joined()
            }
            let all = db.query(Employee.self)
            try expect(try await names(all.unreferenced(by: \Employee.spouse)), equals: "acd", "those without a spouse")
            try expect(try await names(all.unreferenced(by: \Employee.siblings)), equals: "abd", "those in no array")
            let top = all.unreferenced(by: \Employee.spouse, \Employee.siblings, \Gathering.participants)
            try expect(try await names(top), equals: "d", "those that nothing holds")
            try expect(
                try await names(all.where { $0.name > "a" }.unreferenced(by: \Employee.spouse)), equals: "cd",
                "with a condition")
            try expect(try await top.count(), equals: 1, "the number of those")
            try expect(try await top.delete(), equals: 1, "the number of those that were deleted")
            try expect(try await names(all), equals: "abc", "the others")
            let (one, two) = (Article("one"), Article("two"))
            one.keywords = [Keyword("k")]
            try await db.save([one, two])
            try await db.save(Keyword("l"))
            try expect(
                try await db.query(Keyword.self).unreferenced(by: \Article.keywords).fetch().map(\.word), equals: ["l"],
                "the words of no article")
            try expect(
                try await db.query(Article.self).unreferenced(by: \Keyword.articles).fetch().map(\.title),
                equals: ["two"], "the articles of no word")
            let branches = (0..<3).map { Branch("\($0)") }
            branches[1].parent = branches[0]
            branches[2].parent = branches[1]
            try await db.save(branches)
            try expect(
                try await db.query(Branch.self).unreferenced(by: \Branch.branches).fetch().map(\.label), equals: ["0"],
                "the root")
            try expect(
                try await db.query(Branch.self).unreferenced(by: \Branch.parent).fetch().map(\.label), equals: ["2"],
                "the leaf")
            for query in [
                all.unreferenced(by: \Employee.name), all.unreferenced(by: \Article.keywords),
                all.unreferenced(by: \String.count),
            ] {
                try await expect(.invalidValue, from: "no relation to the type") { _ = try await query.fetch() }
            }
        },
        ConformanceCase(
            "qry-2.nested-together", "QRY-2", "Conditions joined from the right are as flat as those from the left"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE priced (code varchar(9) PRIMARY KEY NOT NULL, price numeric(12,2))")
                .execute()
            _ = try await db.save(Priced(code: "a", price: 1))
            var condition = Columns<Priced>().price == 1
            for _ in 0..<1_000 { condition = Columns<Priced>().code == "a" && condition }
            try expect(try await db.query(Priced.self).where(condition).count(), equals: 1, "the rows")
        },
    ]
}

private let sevenOrNil: [Int16?] = [7, nil]

private let multiples = (0..<1_200).map { $0 * 7 }

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
