import Foundation
import Holdfast

/// Conditions on values: what they mean in Swift, they mean in a query.
extension ConformanceCase {
    static let cmp2: [ConformanceCase] = [
        asking(
            "cmp-2.values", "CMP-2", "Comparisons of values of every type mean what they mean in Swift",
            [
                .typed("integers", { $0.age == 14 }, { $0.age == 14 }),
                .typed("integers", { $0.age != 14 }, { $0.age != 14 }),
                .typed("integers", { $0.age < 0 }, { $0.age < 0 }),
                .typed("integers", { $0.age <= 14 }, { $0.age <= 14 }),
                .typed("integers", { 14 < $0.age }, { 14 < $0.age }),
                .typed("integers", { $0.age >= -60 }, { $0.age >= -60 }),
                .typed("optional integers", { $0.shoe == nil }, { $0.shoe == nil }),
                .typed("optional integers", { $0.shoe != nil }, { $0.shoe != nil }),
                .typed("optional integers", { $0.shoe == 7 }, { $0.shoe == 7 }),
                .typed("optional integers", { $0.shoe != 7 }, { $0.shoe != 7 }),
                .typed("optional integers", { $0.shoe > 7 }, { $0.shoe.map { $0 > 7 } ?? false }),
                .typed("doubles", { $0.height == 1.5 }, { $0.height == 1.5 }),
                .typed("doubles", { $0.height > 1.75 }, { $0.height.map { $0 > 1.75 } ?? false }),
                .typed("floats", { $0.ratio == Float(7) / 3 }, { $0.ratio == Float(7) / 3 }),
                .typed("floats", { $0.ratio < 3.3333 }, { $0.ratio < 3.3333 }),
                .typed("decimals", { $0.salary == 750 }, { $0.salary == 750 }),
                .typed("decimals", { $0.salary < 1_000 }, { $0.salary < 1_000 }),
                .typed("decimals", { $0.salary >= -125 }, { $0.salary >= -125 }),
                .typed("optional decimals", { $0.bonus > 99 }, { $0.bonus.map { $0 > 99 } ?? false }),
                .typed("scaled decimals", { $0.rate > 2.5 }, { $0.rate > 2.5 }),
                .typed("scaled decimals", { $0.rate == 2.25 }, { $0.rate == 2.25 }),
                .typed("truth values", { $0.isActive == false }, { !$0.isActive }),
                .typed("truth values", { $0.isActive }, { $0.isActive }),
                .typed("truth values", { $0.isActive && $0.age > 0 }, { $0.isActive && $0.age > 0 }),
                .typed("optional truth values", { $0.isRemote == true }, { $0.isRemote == true }),
                .typed("optional truth values", { $0.isRemote != true }, { $0.isRemote != true }),
                .typed("instants", { $0.born == noon }, { $0.born == noon }),
                .typed("instants", { $0.born > noon + 86_400 }, { $0.born.map { $0 > noon + 86_400 } ?? false }),
                .typed(
                    "instants as text", { $0.joined < noon + 86_400 }, { $0.joined.map { $0 < noon + 86_400 } ?? false }
                ),
                .typed("UUIDs", { $0.badge == badge }, { $0.badge == badge }),
                .typed("enums", { $0.grade == .senior }, { $0.grade == .senior }),
                .typed("enums", { $0.grade != .senior }, { $0.grade != .senior }),
                .typed("bytes", { $0.photo == Data([0, 60]) }, { $0.photo == Data([0, 60]) }),
                .typed("bytes", { $0.photo == Data() }, { $0.photo == Data() }),
                .typed("JSON", { $0.address == nil }, { $0.address == nil }),
                .typed("texts", { $0.name == "Zoe" }, { Array($0.name.utf8) == Array("Zoe".utf8) }),
                .typed("texts of other bytes", { $0.name == "é" }, { Array($0.name.utf8) == Array("é".utf8) }),
                .typed("empty texts", { $0.name == "" }, { $0.name.isEmpty }),
                .typed("the order of texts", { $0.name > "Zoe" }, { $0.name.unicodeScalars.isAfter("Zoe") }),
                .typed("optional texts", { $0.nickname != "Ada" }, { $0.nickname != "Ada" }),
                .typed(
                    "properties", { $0.nickname == $0.name.optional },
                    { $0.nickname.map { Array($0.utf8) } == Array($0.name.utf8) }),
                .typed("properties", { $0.height != $0.height * 1 }, { _ in false }),
                .typed("keys", { $0.id == 3 }, { $0.id == 3 }),
            ]),
        asking(
            "cmp-2.logic", "CMP-2", "Conditions are true or false, never unknown, however they are joined and negated",
            [
                .typed(
                    "or", { $0.age == 14 || $0.shoe == nil || $0.name == "B" },
                    { $0.age == 14 || $0.shoe == nil || $0.name == "B" }),
                .typed(
                    "and within or", { $0.age > 0 && $0.shoe > 0 || $0.isActive == false },
                    { $0.age > 0 && ($0.shoe ?? 0) > 0 || !$0.isActive }),
                .typed(
                    "or within and", { $0.age > 0 && ($0.shoe > 0 || $0.isActive == false) },
                    { $0.age > 0 && (($0.shoe ?? 0) > 0 || !$0.isActive) }),
                .typed(
                    "negation of what nil makes unknown", { !($0.shoe > 7) }, { !($0.shoe.map { $0 > 7 } ?? false) }),
                .typed(
                    "double negation", { !(!($0.shoe > 7 || $0.age == 14)) },
                    { ($0.shoe.map { $0 > 7 } ?? false) || $0.age == 14 }),
                .typed(
                    "negation of both", { !($0.shoe > 7 && $0.height > 1.6) },
                    { !(($0.shoe ?? 0) > 7 && ($0.height ?? 0) > 1.6) }),
                .typed(
                    "double negation beside another", { !(!($0.age == 14 || $0.age == 21)) && $0.isActive == true },
                    { ($0.age == 14 || $0.age == 21) && $0.isActive }),
                .typed("always", { _ in Condition.always }, { _ in true }),
                .typed("never", { _ in Condition.never }, { _ in false }),
                .typed("all of none", { _ in Condition.all([]) }, { _ in true }),
                .typed("one of none", { _ in Condition.any([]) }, { _ in false }),
                .typed(
                    "sets", { Condition.sets([[$0.age > 30, $0.shoe != nil], [$0.name == "B"]]) },
                    { $0.age > 30 && $0.shoe != nil || $0.name == "B" }),
                .typed("no sets", { _ in Condition.sets([]) }, { _ in true }),
            ]),
        asking(
            "cmp-2.lists", "CMP-2", "A value is looked for in lists of any length, and in ranges",
            [
                .typed("no values", { $0.age.in([Int]()) }, { _ in false }),
                .typed("one", { $0.age.in([14]) }, { $0.age == 14 }),
                .typed("some", { $0.name.in(["Ada", "B", "no one"]) }, { ["Ada", "B"].contains($0.name) }),
                .typed("optionals without nil", { $0.shoe.in([7, 10]) }, { $0.shoe == 7 || $0.shoe == 10 }),
                .typed("optionals with nil", { $0.shoe.in([7, nil]) }, { $0.shoe == 7 || $0.shoe == nil }),
                .typed("200,000", { $0.age.in(0..<200_000 as Range<Int>) }, { $0.age >= 0 }),
                .typed("a list of 200,000", { $0.age.in(Array(20..<200_020)) }, { $0.age >= 20 }),
                .typed("a closed range", { $0.age.in(7...14) }, { (7...14).contains($0.age) }),
                .typed("a range", { $0.age.in(7..<14) }, { (7..<14).contains($0.age) }),
                .typed("from", { $0.age.in(14...) }, { $0.age >= 14 }),
                .typed("through", { $0.age.in(...14) }, { $0.age <= 14 }),
                .typed("up to", { $0.age.in(..<14) }, { $0.age < 14 }),
                .typed(
                    "a closed range of optionals", { $0.shoe.in(7...9) },
                    { $0.shoe.map { (7...9).contains($0) } ?? false }),
                .typed(
                    "a range of integers or nil", { $0.shoe.in(7..<9) },
                    { $0.shoe.map { (7..<9).contains($0) } ?? false }),
                .typed("from, of optionals", { $0.shoe.in(8...) }, { $0.shoe.map { $0 >= 8 } ?? false }),
                .typed("through, of optionals", { $0.shoe.in(...8) }, { $0.shoe.map { $0 <= 8 } ?? false }),
                .typed("up to, of optionals", { $0.shoe.in(..<8) }, { $0.shoe.map { $0 < 8 } ?? false }),
                .typed("a range as optional", { $0.age.optional.in(1...9) }, { (1...9).contains($0.age) }),
                .typed("a list as optional", { $0.age.optional.in([14, nil]) }, { $0.age == 14 }),
                .typed(
                    "of a related object", { $0.boss.age.in(1..<60) },
                    { $0.boss.map { (1..<60).contains($0.age) } ?? false }),
                .typed("a range of texts", { $0.name.in("A"..<"C") }, { $0.name >= "A" && $0.name < "C" }),
                .typed(
                    "a range of optionals", { $0.height.in(1.5..<1.7) },
                    { $0.height.map { (1.5..<1.7).contains($0) } ?? false }),
                .typed(
                    "instants", { $0.born.in([noon, noon + 43_200]) }, { $0.born == noon || $0.born == noon + 43_200 }),
                .typed("decimals", { $0.salary.in([750, -125]) }, { $0.salary == 750 || $0.salary == -125 }),
                .typed("UUIDs", { $0.badge.in([badge]) }, { $0.badge == badge }),
                .typed("enums", { $0.grade.in([.junior, .principal]) }, { $0.grade != .senior }),
                .typed("truth values", { $0.isActive.in([true]) }, { $0.isActive }),
                .typed("doubles", { $0.height.in([1.5, 1.6]) }, { $0.height == 1.5 || $0.height == 1.6 }),
                .typed("floats", { $0.ratio.in([Float(1) / 3]) }, { $0.ratio == Float(1) / 3 }),
                .typed("bytes", { $0.photo.in([Data(), Data([0])]) }, { $0.photo == Data() || $0.photo == Data([0]) }),
            ]),
        asking(
            "cmp-2.days", "CMP-2", "An instant lies on a day of a time zone",
            [
                .typed("UTC", { $0.born.on(day: noon) }, { day($0.born, .gmt) == day(noon, .gmt) }),
                .typed("elsewhere", { $0.born.on(day: noon, in: far) }, { day($0.born, far) == day(noon, far) }),
                .typed(
                    "of text", { $0.joined.on(day: noon + 90_000, in: far) },
                    { day($0.joined, far) == day(noon + 90_000, far) }),
            ]),
        asking(
            "cmp-2.computed", "CMP-2", "Arithmetic and functions of texts are the same on every engine",
            [
                .typed("sums", { $0.age + 1 == 15 }, { $0.age + 1 == 15 }),
                .typed("differences and products", { ($0.age - 2) * 3 > 30 }, { ($0.age - 2) * 3 > 30 }),
                .typed("quotients of integers", { $0.age / 4 == 3 }, { $0.age / 4 == 3 }),
                .typed("quotients of negative integers", { $0.age / 7 == -8 }, { $0.age / 7 == -8 }),
                .typed("remainders", { $0.age % 4 == -3 }, { $0.age % 4 == -3 }),
                .typed(
                    "small integers beyond their type", { $0.shoe * 3_000 > 32_000 },
                    { $0.shoe.map { Int($0) * 3_000 > 32_000 } ?? false }),
                .typed("a division by zero is nil", { $0.age / ($0.age - 14) == nil }, { $0.age == 14 }),
                .typed("a division by zero is nil", { $0.height / 0 == nil }, { _ in true }),
                .typed("doubles", { $0.height * 2 > 3.3 }, { $0.height.map { $0 * 2 > 3.3 } ?? false }),
                .typed("decimals", { $0.salary * 2 - 1 > 1_499 }, { $0.salary * 2 - 1 > 1_499 }),
                .typed("decimals", { $0.salary + $0.salary == 250 }, { $0.salary + $0.salary == 250 }),
                .typed("other signs", { -$0.age > 20 }, { -$0.age > 20 }),
                .typed("lower case", { $0.name.lowercased() == "smith" }, { $0.name.lowercased() == "smith" }),
                .typed("upper case of ASCII alone", { $0.name.uppercased() == "ZOë" }, { $0.name == "Zoë" }),
                .typed("lengths", { $0.name.length == 2 }, { $0.name.unicodeScalars.count == 2 }),
                .typed("trimming", { $0.name.trimmed() == "padded" }, { $0.name == " padded " }),
                .typed("joining", { $0.name + "!" == "B!" }, { $0.name == "B" }),
                .typed("joining nil", { $0.nickname + "!" == nil }, { $0.nickname == nil }),
                .typed("a value for nil", { ($0.nickname ?? "none") == "none" }, { $0.nickname == nil }),
                .typed(
                    "another property for nil", { ($0.nickname ?? $0.name) == $0.name },
                    { $0.nickname == nil || Array($0.nickname!.utf8) == Array($0.name.utf8) }),
            ]),
        ConformanceCase(
            "cmp-2.overflow", "CMP-2", "A result that does not fit its type is refused"
        ) { environment in
            let (db, _) = try await openSample(environment)
            try await expect(.invalidValue, from: "an integer that overflows") {
                _ = try await db.query(Engineer.self).where { $0.age + Int.max > 0 }.keys()
            }
            try await expect(.invalidValue, from: "an integer that overflows by a product") {
                _ = try await db.query(Engineer.self).where { ($0.id ?? 0) * Int64.max > 0 }.keys()
            }
            try await expect(.invalidValue, from: "a double that overflows") {
                _ = try await db.query(Engineer.self).where { $0.height * 1e300 * 1e300 > 0 }.keys()
            }
        },
    ]
}

private let noon = Date(timeIntervalSince1970: 1_000_000_000)

private let badge = UUID(uuidString: "00000000-0000-4000-8000-000000000004")

private let far = TimeZone(secondsFromGMT: 9 * 3_600 + 1_800) ?? .gmt

/// The number of a day in a time zone.
private func day(_ date: Date?, _ zone: TimeZone) -> Int? {
    date.map { Int((($0.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: $0))) / 86_400).rounded(.down)) }
}

extension String.UnicodeScalarView {
    /// Whether the text comes after another by code point.
    fileprivate func isAfter(_ other: String) -> Bool {
        other.unicodeScalars.lexicographicallyPrecedes(self)
    }
}
