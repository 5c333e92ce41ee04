import Foundation
import Holdfast

extension ConformanceCase {
    static let cmp2Functions: [ConformanceCase] = [
        asking(
            "cmp-2.number-functions", "CMP-2", "Functions of numbers are those of Swift",
            [
                .typed("a magnitude", { $0.age.magnitude == 18 }, { $0.age.magnitude == 18 }),
                .typed("of a decimal", { $0.salary.magnitude <= 250 }, { abs($0.salary) <= 250 }),
                .typed("of nil", { $0.shoe.magnitude < 5 }, { $0.shoe.map { $0.magnitude < 5 } ?? false }),
                .typed("a sign", { $0.salary.signum() == -1 }, { $0.salary < 0 }),
                .typed("a sign of 0", { $0.age.signum() == 0 }, { $0.age == 0 }),
                .typed("a sign of a double", { $0.height.signum() == nil }, { $0.height == nil }),
                .typed(
                    "a rounded decimal", { $0.salary.rounded() == 125 },
                    { rounded($0.salary, 0) == 125 }),
                .typed(
                    "a rounded product", { ($0.salary * 0.1).rounded(to: 1) == -37.5 },
                    { rounded($0.salary * 0.1, 1) == -37.5 }),
                .typed("a rounded double", { $0.height.rounded() == 2 }, { ($0.height ?? 0).rounded() == 2 }),
                .typed(
                    "a rounded integer", { $0.age.rounded(to: 3) == $0.age.floor() }, { _ in true }),
                .typed(
                    "whole numbers below", { $0.salary.floor() < $0.salary },
                    { rounded($0.salary, 0, .down) < $0.salary }),
                .typed(
                    "whole numbers above", { $0.height.ceiling() == 2 },
                    { $0.height.map { $0.rounded(.up) == 2 } ?? false }),
                .typed(
                    "the greatest", { QueryExpression.greatest($0.salary, $0.bonus ?? 0) == $0.salary },
                    { $0.salary >= $0.bonus ?? 0 }),
                .typed(
                    "the least, without nil", { QueryExpression.least($0.shoe, 7) == 7 }, { ($0.shoe ?? 7) >= 7 }),
                .typed(
                    "the least of nil", { QueryExpression.least($0.shoe, $0.shoe) == nil }, { $0.shoe == nil }),
            ]),
        asking(
            "cmp-2.conversions", "CMP-2", "Numbers of two types are computed with once they are of one",
            [
                .typed(
                    "an integer and a decimal", { $0.salary * $0.age.asDecimal > 3_000 },
                    { $0.salary * Decimal($0.age) > 3_000 }),
                .typed(
                    "a quotient of integers", { $0.age.asDouble / 7 > 2.5 }, { Double($0.age) / 7 > 2.5 }),
                .typed(
                    "a decimal as a Double", { $0.salary.asDouble * 0.1 <= 12.5 },
                    { (Double($0.salary.description) ?? 0) * 0.1 <= 12.5 }),
                .typed(
                    "a Double as a decimal", { $0.height.asDecimal == 1.5 }, { $0.height == 1.5 }),
                .typed("of nil", { $0.shoe.asDecimal == nil }, { $0.shoe == nil }),
                .typed(
                    "a scaled decimal", { $0.rate.asDecimal * 2 + $0.rate.asDecimal > 6 }, { $0.rate * 3 > 6 }),
                .typed(
                    "a scaled decimal and another", { $0.rate.asDecimal < $0.salary - $0.rate.asDecimal },
                    { $0.rate < $0.salary - $0.rate }),
                .typed("a scaled decimal as a Double", { $0.rate.asDouble > 2.4 }, { $0.rate > 2.4 }),
                .typed(
                    "what can be nil", { $0.shoe.asDouble > 40.5 }, { $0.shoe.map { Double($0) > 40.5 } ?? false }),
                .typed(
                    "what is one already", { $0.salary.asDecimal == $0.salary }, { _ in true }),
                .text(
                    "CAST(age AS DECIMAL) * salary > 3000", { Decimal($0.age) * $0.salary > 3_000 },
                    "a cast to a decimal"),
                .text("CAST(age AS DOUBLE) / 7 > 2.5", { Double($0.age) / 7 > 2.5 }, "a cast to a Double"),
            ]),
        asking(
            "cmp-2.text-functions", "CMP-2", "Parts of texts are counted in Unicode scalars",
            [
                .typed("a beginning", { $0.name.prefix(2) == "Zo" }, { text($0.name, 0, 2) == "Zo" }),
                .typed("no beginning", { $0.name.prefix(0) == "" }, { _ in true }),
                .typed("a rest", { $0.name.dropFirst(2) == "ith" }, { text($0.name, 2) == "ith" }),
                .typed("a rest of one scalar", { $0.name.dropFirst() == "\u{301}" }, { text($0.name, 1) == "\u{301}" }),
                .typed("a part", { $0.name.substring(from: 1, length: 2) == "my" }, { text($0.name, 1, 2) == "my" }),
                .typed("of nil", { $0.nickname.prefix(1) == nil }, { $0.nickname == nil }),
                .typed(
                    "a replacement", { $0.name.replacing("m", with: "MM") == "SMMith" }, { $0.name == "Smith" }),
                .typed("of nothing", { $0.name.replacing("", with: "x") == $0.name }, { _ in true }),
                .typed(
                    "an offset", { $0.name.offset(of: "s") == 6 },
                    { Array($0.name.unicodeScalars).firstIndex(of: "s") == 6 }),
                .typed(
                    "no offset", { $0.name.offset(of: "a") == nil }, { !$0.name.unicodeScalars.contains("a") }),
                .typed("an offset of nothing", { $0.name.offset(of: "") == 0 }, { _ in true }),
                .typed("nil for a value", { $0.name.nil(if: "") == nil }, { $0.name == "" }),
                .typed(
                    "nil for an optional value", { $0.nickname.nil(if: "ada") == nil },
                    { $0.nickname == nil || $0.nickname == "ada" }),
                .typed("an integer as text", { $0.age.asText == "18" }, { $0.age == 18 }),
                .typed("a text as an integer", { $0.age.asText.asInteger == 18 }, { $0.age == 18 }),
            ]),
        asking(
            "cmp-2.text-integers", "CMP-2", "Bits are those of 64, and texts without an integer give nil",
            [
                .typed("no integer", { $0.name.asInteger == nil }, { _ in true }),
                .typed("bits of both", { $0.age.bitAnd(6) == 6 }, { $0.age & 6 == 6 }),
                .typed("bits of either", { $0.age.bitOr(1) == 41 }, { $0.age | 1 == 41 }),
                .typed("bits of nil", { $0.shoe.bitOr(1) == nil }, { $0.shoe == nil }),
                .typed("bits to the left", { $0.age.shiftedLeft(by: 3) == 64 }, { $0.age << 3 == 64 }),
                .typed("bits to the right", { $0.age.shiftedRight(by: 2) == -9 }, { $0.age >> 2 == -9 }),
                .typed("beyond 64 bits", { $0.age.shiftedLeft(by: 63) == 0 }, { $0.age % 2 == 0 }),
            ]),
        asking(
            "cmp-2.functions-as-text", "CMP-2", "Functions have names in condition text",
            [
                .text("abs(age) = 18 AND sign(age) = 1", { $0.age == 18 }),
                .text("round(salary) = 125 AND floor(salary) <= ceil(salary)", { rounded($0.salary, 0) == 125 }),
                .text("round(height, 1) = 1.8", { $0.height.map { ($0 * 10).rounded() == 18 } ?? false }),
                .text("greatest(shoe, 7) = 7 AND least(age, 100, shoe) < 100", { ($0.shoe ?? 7) <= 7 }),
                .text(
                    "substr(name, 2, 2) = 'my' OR substr(name, 3) = 'ith'",
                    {
                        text($0.name, 1, 2) == "my" || text($0.name, 2) == "ith"
                    }),
                .text("replace(name, 'm', 'MM') = 'SMMith'", { $0.name == "Smith" }),
                .text("position(name, 's') = 7", { Array($0.name.unicodeScalars).firstIndex(of: "s") == 6 }),
                .text("nullif(name, '') IS NULL", { $0.name == "" }),
                .text("year(born) = 2001 AND month(born) = 9 AND hour(born) = 13", { hour($0.born, 0) == 13 }),
                .text("hour(joined, 'Europe/Berlin') = 3", { hour($0.joined, 2) == 3 }),
                .text(
                    "seconds(born, joined) > \(86_400.0)",
                    { engineer in
                        guard let born = engineer.born, let joined = engineer.joined else { return false }
                        return joined.timeIntervalSince(born) > 86_400
                    }),
                .text("born < now()", { $0.born != nil }),
            ]),
        ConformanceCase(
            "cmp-2.rounding", "CMP-2",
            "Numbers are rounded half away from zero, by the digits that they are written with"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self).where { $0.name == "rounded" }
            var random = SplitMix64(state: 7)
            var numbers: [Double] = [
                0.5, 1.5, 2.5, -0.5, -1.5, -0.2, 0, 2.675, 1.005, 0.49999999999999994, 1e15 + 0.5, 1e300, -1e-300,
            ]
            for _ in 0..<200 {
                numbers.append((Double.random(in: -1_000...1_000, using: &random) * 1_000).rounded() / 1_000)
            }
            try await db.save(
                numbers.map { number in
                    let engineer = Engineer("rounded", age: 0)
                    engineer.height = number
                    engineer.salary = decimal(number)
                    return engineer
                })
            let rows = try await all.select {
                (
                    $0.height.rounded(to: 2), $0.salary.rounded(to: 2), $0.height.rounded(), $0.salary.floor(),
                    $0.salary.ceiling()
                )
            }.fetch()
            for (index, row) in rows.enumerated() {
                let number = numbers[index]
                let decimal = decimal(number)
                let two = abs(number) > 1e16 ? number : Double(rounded(decimal, 2).description)
                try expect(row.0, equals: two, "\(number) to 2 digits")
                try expect(row.1, equals: rounded(decimal, 2), "the decimal \(decimal) to 2 digits")
                try expect(row.2, equals: number.rounded(), "\(number) as a whole number")
                try expect(row.3, equals: rounded(decimal, 0, .down), "below \(decimal)")
                try expect(row.4, equals: rounded(decimal, 0, .up), "above \(decimal)")
            }
            let floats = try await db.query(Engineer.self).where { $0.name != "rounded" }
                .select { ($0.ratio, $0.ratio.rounded(to: 1), $0.ratio.floor()) }.fetch()
            for (ratio, near, below) in floats {
                try expect(near, equals: (ratio * 10).rounded() / 10, "\(ratio) to 1 digit")
                try expect(below, equals: ratio.rounded(.down), "below \(ratio)")
            }
            try await expect(.invalidValue, from: "a number of digits that is negative") {
                _ = try await all.select { $0.height.rounded(to: -1) }.fetch()
            }
            try await expect(.unsupported, from: "a decimal in a form of its own") {
                _ = try await all.select { $0.rate.rounded() }.fetch()
            }
        },
        ConformanceCase(
            "cmp-2.functions-elsewhere", "CMP-2", "Functions are selected and set, and a random order has no pages"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let extremes = try await all.select {
                (
                    QueryExpression.greatest($0.nickname, $0.name.optional),
                    QueryExpression.least($0.bonus, $0.salary.optional)
                )
            }.fetch()
            for (index, engineer) in engineers.enumerated() {
                let names = [engineer.name] + (engineer.nickname.map { [$0] } ?? [])
                let last = names.max { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
                try expect(extremes[index].0, isExactly: last, "the last name of \(engineer.name)")
                let least = min(engineer.salary, engineer.bonus ?? engineer.salary)
                try expect(extremes[index].1, equals: least, "the least of \(engineer.name)")
            }
            try await all.update {
                $0.age.set($0.age.current.bitOr(64).shiftedLeft(by: 1))
                $0.name.set($0.name.current.replacing("a", with: "b").prefix(3))
                $0.salary.set(.least($0.salary.current, 100))
            }
            let after = try await db.fetch(Engineer.self)
            try expect(after.map(\.age), equals: engineers.map { ($0.age | 64) << 1 }, "ages")
            try expect(after.map(\.salary), equals: engineers.map { min($0.salary, 100) }, "salaries")
            let shuffled = try await all.order(by: [.random]).fetch()
            try expect(shuffled.compactMap(\.id).sorted(), equals: engineers.compactMap(\.id).sorted(), "all of them")
            try await expect(.unsupported, from: "a page in a random order") {
                _ = try await all.order(by: [.random]).page(size: 3)
            }
            try await all.update { $0.age.set(.min) }
            try await expect(.invalidValue, from: "a magnitude that no integer has") {
                _ = try await all.select { $0.age.magnitude }.fetch()
            }
            try await expect(.invalidValue, from: "a part of a negative length") {
                _ = try await all.select { $0.name.prefix(-1) }.fetch()
            }
            try await expect(.unsupported, from: "the greatest truth value") {
                _ = try await all.select { QueryExpression.greatest($0.isActive, true) }.fetch()
            }
        },
    ]
}

private func rounded(_ number: Decimal, _ digits: Int, _ mode: NSDecimalNumber.RoundingMode = .plain) -> Decimal {
    var (number, result) = (number, Decimal())
    NSDecimalRound(&result, &number, digits, mode)
    return result
}

/// A number by the digits that it is written with; 0 for one that is very small or very large.
private func decimal(_ number: Double) -> Decimal {
    (1e-30..<1e17).contains(abs(number)) ? Decimal(string: number.description, locale: nil) ?? 0 : 0
}

/// A part of a text in Unicode scalars.
private func text(_ text: String, _ offset: Int, _ length: Int = .max) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text.unicodeScalars.dropFirst(offset).prefix(length))
    return String(view)
}

/// The hour of a date by clocks so many hours ahead of those in Greenwich.
private func hour(_ date: Date?, _ ahead: Int) -> Int? {
    date.map { Int($0.timeIntervalSince1970.rounded(.down)) / 3600 % 24 + ahead }.map { $0 % 24 }
}
