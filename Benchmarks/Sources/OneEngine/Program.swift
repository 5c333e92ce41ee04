import Holdfast
import HoldfastSQLite

/// The one model of the smallest program that does anything.
@Table
final class Note {
    var id: Int64?
    var text: String

    init(text: String) { self.text = text }
}

@main
struct Program {
    static func main() async throws {
        let db = try await Database.open(.sqlite(.inMemory))
        try await db.migrate(Note.self)
        try await db.save(Note(text: "first"))
        print(try await db.fetch(Note.self).map(\.text))
        try await db.close()
    }
}
