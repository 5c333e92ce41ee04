import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// The one model of a program whose engine is chosen when it runs.
@Table
final class Note {
    var id: Int64?
    var text: String

    init(text: String) { self.text = text }
}

@main
struct Program {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "sqlite::memory:"
        let db = try await Database.open(url, drivers: [.sqlite, .postgres])
        try await db.migrate(Note.self)
        try await db.save(Note(text: "first"))
        print(try await db.fetch(Note.self).map(\.text))
        try await db.close()
    }
}
