import Foundation
import Holdfast

/// Join tables of other programs, and those without positions.
extension ConformanceCase {
    static let rel7: [ConformanceCase] = [
        graph(
            "rel-7.no-foreign-key", "REL-7",
            "A reference without a foreign key may lead to no row, which is as with any missing object"
        ) { environment in
            let db = try await environment.open(Chinook.Queue.self)
            let queue = Chinook.Queue()
            queue.current = Chinook.Track(name: "a")
            try await db.save(queue)
            try await db.sql("DELETE FROM \(identifier: "Track")").execute()
            try await expect(.notFound, from: "fetching a reference that leads nowhere") {
                _ = try await db.fetch(Chinook.Queue.self)
            }
            let found = try await db.fetch(Chinook.Queue.self, missingTarget: .nil)
            try expect(found.count, equals: 1, "the queues")
            try expect(found[0].current == nil, "A reference leads to an object that is not there.")
        }
    ]
}
