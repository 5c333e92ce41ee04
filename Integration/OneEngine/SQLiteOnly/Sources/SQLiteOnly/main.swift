import Holdfast
import HoldfastSQLite

let db = try await Database.open(.sqlite(.inMemory))
try await db.migrate(Book.self, Card.self)

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
try await checkIsolation(db)

try await db.migrate(Author.self, Borrower.self)
let author = Author(name: "Franz Kafka")
let borrower = Borrower(name: "Max Brod")
author.works = ["Der Process", "Das Schloss"].map { Work(title: $0) }
for work in author.works {
    let (edition, copy, loan) = (Edition(year: 1925), Copy(), Loan())
    work.editions = [edition]
    edition.copies = [copy]
    copy.loans = [loan]
    loan.borrower = borrower
}
borrower.pupils = [Borrower(name: "Felix Weltsch")]
try await db.save(author)
let lent = try await db.query(Loan.self).where { $0.copy.edition.work.author.name == "Franz Kafka" }.fetch()
precondition(lent.count == 2 && lent[0].borrower === lent[1].borrower)
precondition(lent[0].borrower?.pupils.map(\.name) == ["Felix Weltsch"])
precondition(lent[0].copy?.edition?.work?.author?.works.map(\.title) == ["Der Process", "Das Schloss"])
try await db.close()
print("Saved, found and deleted one book with HoldfastSQLite alone.")
