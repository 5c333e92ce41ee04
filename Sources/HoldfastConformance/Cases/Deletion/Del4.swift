import Foundation
import Holdfast

/// What is told of rows that are marked as deleted.
extension ConformanceCase {
    static let del4: [ConformanceCase] = [
        ConformanceCase(
            "del-4.observe", "DEL-4", "Observed queries have new results of deletions and restorations", level: .live
        ) { environment in
            let db = try await environment.open(Draft.self)
            let drafts = (0..<3).map { Draft("\($0)", rank: $0) }
            try await db.save(drafts)
            var there = db.query(Draft.self).where { $0.rank < 2 }.observe().makeAsyncIterator()
            var bin = db.query(Draft.self).onlyDeleted().where { $0.rank < 2 }.observe().makeAsyncIterator()
            var count = db.query(Draft.self).observe { try await $0.count() }.makeAsyncIterator()
            try expect(try await there.next()?.objects.map(\.rank), equals: [0, 1], "what is there at first")
            try expect(try await bin.next()?.objects.map(\.rank), equals: [], "what is deleted at first")
            try expect(try await count.next(), equals: 3, "how many there are at first")
            try await db.delete(drafts[0])
            try expect(try await there.next()?.objects.map(\.rank), equals: [1], "what is there")
            try expect(try await bin.next()?.objects.map(\.rank), equals: [0], "what is deleted")
            try expect(try await count.next(), equals: 2, "how many there are")
            try await db.query(Draft.self).where { $0.rank == 1 }.delete()
            try expect(try await there.next()?.objects.map(\.rank), equals: [], "what is there after a query")
            try expect(try await bin.next()?.objects.map(\.rank), equals: [0, 1], "what is deleted after a query")
            try expect(try await count.next(), equals: 1, "how many there are after a query")
            try await db.restore(drafts[0])
            try expect(try await there.next()?.objects.map(\.rank), equals: [0], "what is there after a restoration")
            try expect(try await bin.next()?.objects.map(\.rank), equals: [1], "what is deleted after a restoration")
        },
        ConformanceCase("del-4.events", "DEL-4", "Who listens hears of marks as of updates", level: .live) {
            environment in
            let db = try await environment.open(Draft.self)
            let draft = Draft("a")
            try await db.save(draft)
            var events = db.events(of: Draft.self).makeAsyncIterator()
            try await db.delete(draft)
            try await db.restore(draft)
            try await db.delete(draft, permanently: true)
            for kind in [ObjectEventKind.updated, .updated, .deleted] {
                let event = try await events.next()
                try expect(event?.kind, equals: kind, "the kind of an event")
                try expect(event?.properties, equals: kind == .updated ? ["deletedAt"] : [], "its properties")
            }
        },
    ]
}
