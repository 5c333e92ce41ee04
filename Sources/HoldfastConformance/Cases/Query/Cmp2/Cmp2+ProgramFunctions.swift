import Foundation
import Holdfast

/// Functions by their names, which a server has, and an engine in the program's process takes from it: they are those
/// of PostgreSQL.
private enum Functions {
    static let reverse = DatabaseFunction<String?>("reverse")
    static let gcd = DatabaseFunction<Int?>("gcd")
    static let root = DatabaseFunction<Double?>("cbrt")
    static let begins = DatabaseFunction<Bool?>("starts_with")
    static let count = DatabaseFunction<Int>("num_nulls")
    static let digest = DatabaseFunction<Data>("sha256")

    static var all: [ProgramFunction] {
        [
            reverse.computed { (text: String) in backwards(text) },
            gcd.computed { (a: Int, b: Int) in try divisor(a, b) },
            root.computed { (number: Double) in cbrt(number) },
            begins.computed { (text: String, part: String) in text.utf8.starts(with: part.utf8) },
            count.computed { (a: Int?, b: String?) in (a == nil ? 1 : 0) + (b == nil ? 1 : 0) },
            digest.computed { (data: Data) in data },
            DatabaseFunction<Date?>("date_larger").computed { (a: Date, b: Date) in max(a, b) },
            DatabaseFunction<UUID?>("same_badge").computed { (badge: UUID) in badge },
        ]
    }

    static func backwards(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
    }

    static func divisor(_ a: Int, _ b: Int) throws -> Int {
        guard a != .min, b != .min else { throw DatabaseError(.invalidValue, "No divisor of the least integer.") }
        var (a, b) = (abs(a), abs(b))
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

extension ConformanceCase {
    static let cmp2ProgramFunctions: [ConformanceCase] = [
        ConformanceCase(
            "cmp-2.named-functions", "CMP-2",
            "Functions that are named are the program's or the server's, and compute in every part of a query"
        ) { environment in
            let db = try await open(environment)
            let all = db.query(Engineer.self).order(\.id)
            let people = try await all.fetch()
            let begun = try await all.where { Functions.begins($0.name, "A") == true }.fetch()
            try expect(
                begun.map(\.id), equals: people.filter { $0.name.utf8.starts(with: "A".utf8) }.map(\.id), "a condition")
            let divisors = try people.map { try Functions.divisor($0.age, 12) }
            let found = try await all.where { Functions.gcd($0.age, 12) > 3 }.fetch()
            try expect(
                found.map(\.id), equals: zip(people, divisors).filter { $0.1 > 3 }.map(\.0.id), "a comparison")
            let reversed = try await all.select { Functions.reverse($0.nickname) }.fetch()
            try expect(
                reversed, equals: people.map { $0.nickname.map(Functions.backwards) }, "a selection, with NULL of NULL")
            let counts = try await all.select { Functions.count($0.shoe, $0.nickname) }.fetch()
            try expect(
                counts, equals: people.map { ($0.shoe == nil ? 1 : 0) + ($0.nickname == nil ? 1 : 0) },
                "optional parameters")
            let ordered = try await db.query(Engineer.self)
                .order { [Functions.gcd($0.age, 12).descending, $0.id.ascending] }.select { Functions.gcd($0.age, 12) }
                .fetch()
            try expect(ordered.compactMap(\.self), equals: divisors.sorted(by: >), "an order")
            let roots = try await all.select { Functions.root($0.height + 1.0) }.fetch()
            let isRoot = zip(roots, people).allSatisfy { root, person in
                guard let root, let height = person.height else { return root == nil && person.height == nil }
                return abs(root - cbrt(height + 1)) < 1e-9
            }
            try expect(isRoot, "A function takes what is computed.")
            let count = try await all.where { Functions.gcd(Functions.gcd($0.age, 12), 8) == 4 }.count()
            let fours = try divisors.filter { try Functions.divisor($0, 8) == 4 }
            try expect(count, equals: fours.count, "two of them")
            let sum: Int64 = try await all.sum { Functions.gcd($0.age, 12) }
            try expect(sum, equals: divisors.reduce(0) { $0 + Int64($1) }, "an aggregate")
            try await db.query(Engineer.self).update { $0.name.set(Functions.reverse($0.name.current) ?? "") }
            try expect(
                try await all.select(\.name).fetch(), equals: people.map { Functions.backwards($0.name) }, "an update")
        },
        ConformanceCase(
            "cmp-2.named-function-errors", "CMP-2", "Functions that fail, that are missing and that have no name throw"
        ) { environment in
            let db = try await open(environment)
            let all = db.query(Engineer.self)
            try await db.save(Engineer("least", age: .min))
            try await expect(.invalidValue, from: "a function that fails") {
                _ = try await all.select { Functions.gcd($0.age, 0) }.fetch()
            }
            let later = try await all.where { $0.age > 0 }.select { Functions.gcd($0.age, 0) }.fetch()
            try expect(!later.isEmpty, "The same function computes later.")
            var missing: DatabaseError?
            do {
                _ = try await all.where { DatabaseFunction<Int>("holdfast_none")($0.age) > 1 }.fetch()
            } catch let error as DatabaseError {
                missing = error
            }
            try expect(missing?.code, equals: .syntax, "the code of a function that is missing")
            try expect(missing?.description.contains("holdfast_none") == true, "The engine's sentence names it.")
            for name in ["", "a b", "f(1); --", "a.b.c", "1st", "\"f\"", "é", ".f"] {
                try await expect(.invalidValue, from: "the name \(name)") {
                    _ = try await all.where { DatabaseFunction<Int>(name)($0.age) > 1 }.fetch()
                }
            }
            try await expect(.unsupported, from: "a scaled decimal") {
                _ = try await all.where { Functions.root($0.rate) > 1 }.fetch()
            }
            try await expect(.unsupported, from: "a date that is a text") {
                _ = try await all.where { DatabaseFunction<Date?>("date_larger")($0.joined, Date()) == nil }.fetch()
            }
        },
    ]

    private static func open(_ environment: ConformanceEnvironment) async throws -> Database {
        let db = try await environment.open(Engineer.self, Team.self, Review.self) { $0.functions = Functions.all }
        try await db.save(Engineer.sample())
        return db
    }
}
