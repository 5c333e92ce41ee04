import Foundation
import Holdfast

extension ConformanceCase {
    static let cmp2Choice: [ConformanceCase] = [
        asking(
            "cmp-2.choices", "CMP-2", "A choice is the value of the first condition that is true",
            [
                .typed(
                    "two values", { QueryExpression.if($0.age > 18, then: "old", else: "young") == "old" },
                    { $0.age > 18 }),
                .typed(
                    "a condition on nil", { QueryExpression.if($0.shoe > 10, then: 1, else: 0) == 0 },
                    { !($0.shoe ?? 0 > 10) }),
                .typed(
                    "three values",
                    {
                        QueryExpression.if($0.age > 30, then: "c").elseIf($0.age > 10, then: "b").else("a") < "c"
                    }, { $0.age <= 30 }),
                .typed(
                    "properties", { QueryExpression.if($0.isActive, then: $0.name, else: $0.name + "!") == "ada!" },
                    { !$0.isActive && $0.name == "ada" }),
                .typed(
                    "no value", { QueryExpression.if($0.age > 18, then: $0.age).orNil == nil }, { $0.age <= 18 }),
                .typed(
                    "a value in place of nil",
                    { QueryExpression.if($0.shoe == nil, then: 40, else: $0.shoe).optional == 40 },
                    { $0.shoe == nil || $0.shoe == 40 }),
                .typed(
                    "a stored form", { $0.rate == QueryExpression.if($0.age > 18, then: $0.rate, else: 1.25) },
                    { $0.age > 18 || $0.rate == 1.25 }),
                .typed(
                    "values for a stored form", { $0.rate == QueryExpression.if($0.age > 18, then: 1.25, else: 2) },
                    { $0.rate == ($0.age > 18 ? 1.25 : 2) }),
                .typed(
                    "cases of an enum",
                    { $0.grade == QueryExpression.if($0.isActive, then: .junior, else: .senior) },
                    { $0.grade == ($0.isActive ? .junior : .senior) }),
                .typed(
                    "dates", { QueryExpression.if($0.isActive, then: $0.joined, else: nil) != nil },
                    { $0.isActive && $0.joined != nil }),
                .typed(
                    "the first that is not nil", { ($0.isRemote ?? $0.boss.isRemote) == nil },
                    { $0.isRemote == nil && $0.boss?.isRemote == nil }),
                .typed(
                    "the first of two dates", { ($0.born ?? $0.boss.born) != nil },
                    { $0.born != nil || $0.boss?.born != nil }),
                .typed(
                    "truth values", { QueryExpression.if($0.age > 18, then: $0.isActive, else: false) },
                    { $0.age > 18 && $0.isActive }),
            ]),
        ConformanceCase(
            "cmp-2.choices-elsewhere", "CMP-2", "Choices are selected, ordered by, grouped by and set"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let sizes = try await all.select {
                ($0.age, QueryExpression.if($0.age > 30, then: "c").elseIf($0.age > 10, then: "b").else("a"))
            }.fetch()
            try expect(sizes.map(\.1), equals: sizes.map { $0.0 > 30 ? "c" : $0.0 > 10 ? "b" : "a" }, "sizes")
            let ordered = try await all.order {
                [QueryExpression.if($0.age > 30, then: 1, else: 2).descending, $0.id.ascending]
            }.select(\.age).fetch()
            try expect(
                ordered,
                equals: engineers.filter { $0.age <= 30 }.map(\.age) + engineers.filter { $0.age > 30 }.map(\.age),
                "the order")
            let groups = try await all.group { QueryExpression.if($0.age > 18, then: "old", else: "young") }
                .select { (QueryExpression.if($0.age > 18, then: "old", else: "young"), $0.rowCount) }.fetch()
            try expect(groups.map(\.0).sorted(), equals: ["old", "young"], "the groups")
            for (name, count) in groups {
                try expect(
                    count, equals: engineers.filter { ($0.age > 18) == (name == "old") }.count, "the count of \(name)")
            }
            let sums = try await all.select { QueryExpression.if($0.isActive, then: $0.age, else: 0).sum }.fetch()
            try expect(
                sums, equals: [engineers.filter(\.isActive).reduce(0) { $0 + Int64($1.age) }], "a sum of some")
            try await all.update {
                $0.rate.set(.if($0.age.current > 18, then: 7.25, else: $0.rate.current))
                $0.grade.set(.if($0.isActive.current, then: .senior, else: .principal))
                $0.height.set(.if($0.height.current == nil, then: 1, else: nil))
                $0.isActive.toggle()
                $0.isRemote.toggle()
            }
            let after = try await db.fetch(Engineer.self)
            try expect(after.map(\.rate), equals: engineers.map { $0.age > 18 ? 7.25 : $0.rate }, "rates")
            try expect(after.map(\.grade), equals: engineers.map { $0.isActive ? .senior : .principal }, "grades")
            try expect(after.map(\.height), equals: engineers.map { $0.height == nil ? 1 : nil }, "heights")
            try expect(after.map(\.isActive), equals: engineers.map { !$0.isActive }, "what was toggled")
            try expect(after.map(\.isRemote), equals: engineers.map { $0.isRemote.map { !$0 } }, "nil is not toggled")
            try await expect(.invalidValue, from: "a choice between values that are stored differently") {
                _ = try await all.select { QueryExpression.if($0.isActive, then: $0.rate, else: $0.salary) }.fetch()
            }
        },
    ]
}
