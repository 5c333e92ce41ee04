import Foundation
import Holdfast

@Table("priced")
struct Priced: Equatable {
    @PrimaryKey var code: String
    var price: Decimal
}

/// Tables that another program has made, with columns that `migrate` would not.
extension ConformanceCase {
    static let queryOthersTables: [ConformanceCase] = [
        ConformanceCase(
            "val-8.others-numerics", "VAL-8", "Decimals in a numeric column of another program are compared as numbers"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE priced (code varchar(9) PRIMARY KEY NOT NULL, price numeric(12,2))")
                .execute()
            let prices = ["9", "10.50", "100", "-3", "0.10"].map { Decimal(string: $0) ?? 0 }
            let rows = prices.enumerated().map { Priced(code: "c\($0)", price: $1) }
            _ = try await db.save(rows)
            let all = db.query(Priced.self)
            try expect(try await all.fetch(), equals: rows, "the rows")
            for limit in prices {
                let above = try await all.where { $0.price > limit }.fetch().map(\.price)
                try expect(Set(above), equals: Set(prices.filter { $0 > limit }), "those above a limit")
                let same = try await all.where { $0.price == limit }.fetch().map(\.price)
                try expect(same, equals: [limit], "those that are the same")
            }
            let ordered = try await all.order { $0.price.ascending }.fetch().map(\.price)
            try expect(ordered, equals: prices.sorted(), "the prices in their order")
            try expect(try await all.sum { $0.price }, equals: prices.reduce(0, +), "their sum")
            let page = try await all.order { $0.price.ascending }.page(size: 2)
            let second = try await all.order { $0.price.ascending }.page(size: 2, after: page.next)
            try expect((page.objects + second.objects).map(\.price), equals: Array(prices.sorted().prefix(4)), "pages")
        },
        ConformanceCase(
            "val-8.others-keys", "VAL-8", "A key of a fixed length is found, and saved again"
        ) { environment in
            let db = try await environment.open()
            try await db.sql("CREATE TABLE priced (code char(5) PRIMARY KEY NOT NULL, price numeric(12,2))").execute()
            var row = Priced(code: "QQ", price: 1)
            _ = try await db.save(row)
            try expect(try await db.find(Priced.self, key: "QQ"), equals: row, "the row")
            row.price = 2
            _ = try await db.save(row)
            try expect(try await db.fetch(Priced.self), equals: [row], "the rows")
            try expect(
                try await db.query(Priced.self).where("code IN ('QQ', 'R')").fetch(), equals: [row], "those of keys")
            let all = db.query(Priced.self)
            try expect(try await all.where { $0.code == "QQ" }.fetch(), equals: [row], "those that are the same")
            try expect(try await all.where { $0.code != "QQ" }.count(), equals: 0, "those that differ")
            try expect(try await all.where { $0.code.in(["R", "QQ"]) }.fetch(), equals: [row], "those of a list")
            try expect(try await all.where { $0.code.like("Q%Q") }.fetch(), equals: [row], "those of a pattern")
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
