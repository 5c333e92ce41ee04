import Foundation
import Holdfast

private enum Functions {
    static let gcd = DatabaseFunction<Int?>("gcd")
    static let begins = DatabaseFunction<Bool?>("starts_with")

    static var all: [ProgramFunction] {
        [
            gcd.computed { (a: Int, b: Int) in divisor(a, b) },
            begins.computed { (text: String, part: String) in text.utf8.starts(with: part.utf8) },
        ]
    }

    static func divisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (abs(a), abs(b))
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

/// What condition text has of choices, bits and functions.
extension ConformanceCase {
    static let cmp2Text: [ConformanceCase] = [
        asking(
            "cmp-2.choices-in-text", "CMP-2", "Condition text has choices, bits, casts, and texts that are joined",
            [
                .text("CASE WHEN age > 18 THEN 'old' ELSE 'young' END = 'old'", { $0.age > 18 }),
                .text(
                    "case when age > 30 then 3 when shoe is null or age > \(10) then 2 end IS NULL",
                    { $0.age <= 10 && $0.shoe != nil }),
                .text("CASE WHEN isActive THEN shoe ELSE 40 END = 40", { !$0.isActive || $0.shoe == 40 }),
                .text("CASE WHEN age > 18 THEN isActive ELSE FALSE END", { $0.age > 18 && $0.isActive }),
                .text(
                    "2 * CASE WHEN CASE WHEN age < 0 THEN 1 ELSE 2 END = 1 THEN age ELSE -age END < -20",
                    { -abs($0.age) < -10 }),
                .text("age & 6 = 4", { $0.age & 6 == 4 }),
                .text("age & \(6) | 1 = 5 OR age < 0", { $0.age & 6 | 1 == 5 || $0.age < 0 }),
                .text("age << 2 > 100 - 20", { $0.age << 2 > 80 }),
                .text("(age >> 1) * 2 <> age", { $0.age % 2 != 0 }),
                .text("1 + age >> 1 = 5", { (1 + $0.age) >> 1 == 5 }),
                .text("CAST(age AS TEXT) LIKE '%7'", { "\($0.age)".hasSuffix("7") }),
                .text("CAST(replace(name, '%', '') AS integer) = 100", { $0.name == "100%" }),
                .text("name || '-' || CAST(age AS TEXT) = 'Ada--60'", { $0.name == "Ada" && $0.age == -60 }),
            ]),
        ConformanceCase(
            "cmp-2.functions-in-text", "CMP-2", "Condition text calls the functions of the program that it is given"
        ) { environment in
            let db = try await environment.open(Engineer.self, Team.self, Review.self) { $0.functions = Functions.all }
            try await db.save(Engineer.sample())
            let all = db.query(Engineer.self).order(\.id)
            let people = try await all.fetch()
            func check(_ condition: Condition, _ meaning: (Engineer) -> Bool) async throws {
                let expected = people.filter(meaning).map(\.id)
                try expect(try await all.where(condition).fetch().map(\.id), equals: expected, "the answer")
                let others = people.filter { !meaning($0) }.map(\.id)
                try expect(try await all.where(!condition).fetch().map(\.id), equals: others, "the negation")
            }
            let (gcd, begins) = (Functions.gcd, Functions.begins)
            try await check("\(gcd)(age, 12) > 3") { Functions.divisor($0.age, 12) > 3 }
            try await check("age > 0 AND \(begins)(name, \("A"))") { $0.age > 0 && $0.name.utf8.starts(with: "A".utf8) }
            try await check("\(gcd)(\(gcd)(age, 12), 2 * 4) = 4") { Functions.divisor($0.age, 4) == 4 }
            try await check(Condition(parsing: "gcd(age + 0, 12) = 6 OR starts_with(name, 'S')", calling: gcd, begins))
            {
                Functions.divisor($0.age, 12) == 6 || $0.name.utf8.starts(with: "S".utf8)
            }
            try await check("CASE WHEN \(begins)(name, 'S') THEN 1 ELSE 0 END = 1") {
                $0.name.utf8.starts(with: "S".utf8)
            }
            for text in ["gcd(age, 12) = 6", "pg_sleep(9) IS NULL", "\"gcd\"(age, 12) = 6"] {
                try await expect(.syntax, from: "a function that was not given") {
                    _ = try await all.where(Condition(parsing: text)).fetch()
                }
            }
            try await expect(.invalidValue, from: "a function without a name") {
                _ = try await all.where("\(DatabaseFunction<Int>("a b"))(age) = 1").fetch()
            }
            try await expect(.invalidValue, from: "a function with a schema") {
                _ = try await all.where(Condition(parsing: "age = 1", calling: DatabaseFunction<Int>("a.b"))).fetch()
            }
        },
        ConformanceCase(
            "cmp-2.choices-in-text-refused", "CMP-2", "Text of choices that can't be read says what was expected"
        ) { environment in
            let (db, _) = try await openSample(environment)
            for (text, expected) in [
                ("CASE WHEN age > 1 END = 1", "THEN"), ("CASE WHEN age > 1 THEN 1 = 1", "END"),
                ("CAST(age AS real) = 1", "TEXT, INTEGER, DOUBLE or DECIMAL"), ("CAST(age, 1) = 1", "AS"),
                ("age & = 1", "a value or a property"),
            ] {
                let error = try await expect(.syntax, from: text) {
                    _ = try await db.query(Engineer.self).where(Condition(parsing: text)).fetch()
                }
                try expect(error.message.contains(expected), "\(text): \(error.message)")
            }
        },
        ConformanceCase(
            "cmp-2.mixed-numbers", "CMP-2", "A query that computes with numbers of two types is refused"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let asker: any MixedNumbers.Type = Mixed.self
            for query in asker.queries(all) {
                let error = try await expect(.invalidValue, from: "numbers of two types") {
                    _ = try await query.fetch()
                }
                try expect(error.message.contains("asDecimal"), error.message)
            }
            try expect(try await all.fetch().count > 0, "The database was left as it was.")
        },
    ]
}

/// Asks what the compiler warns of: by a requirement, whose callers are not warned.
private protocol MixedNumbers {
    static func queries(_ all: Query<Engineer>) -> [Query<Engineer>]
}

private enum Mixed: MixedNumbers {
    @available(*, deprecated)
    static func queries(_ all: Query<Engineer>) -> [Query<Engineer>] {
        [
            all.where { $0.salary * $0.age > 3_000 }, all.where { $0.age + $0.salary > 3_000 },
            all.where { $0.height / $0.age > 0.5 }, all.where { $0.age - $0.height > 0 },
        ]
    }
}
