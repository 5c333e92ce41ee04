import Foundation
import Holdfast

/// In what order, how many, and how much of what a query finds.
extension ConformanceCase {
    static let ord2: [ConformanceCase] = [
        ConformanceCase(
            "ord-2.query", "ORD-2", "Nil comes first ascending, last descending, or where a query says"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let nils = Set(engineers.filter { $0.shoe == nil }.compactMap { $0.id.map { Key($0) } })
            func check(_ order: @Sendable (Columns<Engineer>) -> Ordering, nilsFirst: Bool) async throws {
                let keys = try await db.query(Engineer.self).order(order).keys()
                let found = Set(nilsFirst ? keys.prefix(nils.count) : keys.suffix(nils.count))
                try expect(found, equals: nils, "those without a value, \(nilsFirst ? "first" : "last")")
            }
            try await check({ $0.shoe.ascending }, nilsFirst: true)
            try await check({ $0.shoe.descending }, nilsFirst: false)
            try await check({ $0.shoe.ascending.nulls(.last) }, nilsFirst: false)
            try await check({ $0.shoe.descending.nulls(.first) }, nilsFirst: true)
        }
    ]
}
