import Foundation
import Holdfast

/// Numbers inside documents, however they are written.
extension ConformanceCase {
    static let queryJSONNumbers: [ConformanceCase] = [
        ConformanceCase(
            "qry-3.numbers", "QRY-3",
            "A number in a document is the integer that it says exactly, and the nearest Double, however it is written",
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Sent.self)
            let integers: [(String, Int64?)] = [
                ("7", 7), ("7.0", 7), ("70e-1", 7), ("0.07E+2", 7), ("-7.00", -7), ("7.5", nil), ("0", 0), ("-0.0", 0),
                ("0e5", 0), ("1e2", 100), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("1e300", nil),
                ("1e-400", nil), ("5e-324", nil), ("1.00000000000000000001", nil), ("9007199254740991.4", nil),
                ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
                ("9.007199254740993e15", 9_007_199_254_740_993), ("-9.007199254740993E+15", -9_007_199_254_740_993),
                ("9223372036854775807", .max), ("9223372036854775807.0", .max), ("9223372036854775808", nil),
                ("-9223372036854775808", .min), ("-9.223372036854775808e18", .min),
                ("1.2345678901234567e17", 123_456_789_012_345_670),
            ]
            let reals = [
                "7", "7.5", "1e18", "1e-400", "2e-324", "3e-324", "5e-324", "-5e-324", "1e-310",
                "2.2250738585072014e-308", "1e300", "-1e300", "1e-307", "0.1", "123456789.125",
            ]
            for (text, integer) in integers + reals.map({ ($0, nil) }) {
                let form = Sent()
                form.extra = try JSON(parsing: "{\"n\": \(text), \"list\": [null, \(text)]}")
                try await db.save(form)
                let id = try expect(some: form.id, "the key")
                let all = db.query(Sent.self).where { $0.hasKey(id) }
                if !reals.contains(text) || integer != nil {
                    let found = try await all.select { $0.extra.json("n", as: Int64.self) }.first()
                    try expect(found, equals: integer, "\(text) as an integer")
                    try expect(form.extra["n"]?.integer, equals: integer, "\(text) as an integer in memory")
                    if let integer {
                        let contains = all.where { $0.extra.json("list", contains: integer) }
                        try expect(try await contains.count(), equals: 1, "the arrays with \(text)")
                        let decoded = try form.extra.decode([String: AnyJSON].self)["n"]
                        try expect(decoded?.asInteger, equals: Int(integer), "\(text) as it is decoded")
                        let read = try expect(some: try await db.find(Sent.self, key: id), "the object")
                        try expect(read.extra == form.extra, "\(text) came back as another number.")
                        try expect(read.extra["n"]?.integer, equals: integer, "\(text) as it is read")
                    }
                }
                let real = try await all.select { $0.extra.json("n", as: Double.self) }.first()
                try expect(real, equals: Double(text), "\(text) as a Double")
                let contains = all.where { $0.extra.json("list", contains: Double(text) ?? .nan) }
                try expect(try await contains.count(), equals: 1, "the arrays with \(text) as a Double")
                let doubles = try form.extra.decode(Numbers.self)
                try expect(doubles.n, equals: Double(text) ?? .nan, "\(text) as a Double that is decoded")
            }
        }
    ]

    private struct Numbers: Decodable { var n: Double }
}
