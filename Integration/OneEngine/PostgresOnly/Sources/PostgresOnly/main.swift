import Foundation
import Holdfast
import HoldfastPostgres

guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRES_URL"] else {
    fatalError("HOLDFAST_POSTGRES_URL is not set. Run this with Integration/with-postgres.")
}

let db = try await Database.open(.postgres(url: url))
try await db.migrate(Book.self)

let book = Book(title: "Die Verwandlung", pages: 70, authors: ["Franz Kafka"])
try await db.save(book)
book.pages = 72
try await db.save(book)

guard let id = book.id, let found = try await db.find(Book.self, key: id) else {
    fatalError("The book was saved, and is not found.")
}
precondition(found.title == "Die Verwandlung" && found.pages == 72 && found.authors == ["Franz Kafka"])
try await db.delete(found)
let count = try await db.count(Book.self)
precondition(count == 0)
try await db.close()
print("Saved, found and deleted one book with HoldfastPostgres alone.")
