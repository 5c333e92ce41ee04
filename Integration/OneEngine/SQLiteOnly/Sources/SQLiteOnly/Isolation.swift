import Holdfast

/// A view's model: the objects that it shows live on the main actor.
@MainActor
final class Shelf {
    private let db: Database
    private(set) var books: [Book] = []

    var pages: [Int] { books.map(\.pages) }

    init(db: Database) { self.db = db }

    func add(_ title: String) async throws {
        let book = Book(title: title, pages: 1, authors: [])
        books.append(book)
        try await db.save(book)
        book.pages += 1
        try await db.save(book)
    }

    func reload() async throws {
        books = try await db.fetch(Book.self)
    }

    func tearOnePage() async throws {
        try await db.transaction { tx in
            for book in books {
                book.pages -= 1
                try await tx.save(book)
            }
        }
    }
}

/// A service: the objects that it works on live on the actor.
actor Librarian {
    private let db: Database
    private var current: Book?

    init(db: Database) { self.db = db }

    func write(_ title: String) async throws -> Int64? {
        let book = Book(title: title, pages: 10, authors: ["Anonymous"])
        current = book
        try await db.save(book)
        return book.id
    }

    func revise() async throws -> Int {
        guard let current else { return 0 }
        let pages = try await db.transaction(isolation: .serializable, maxRetries: 3) { tx in
            current.pages += 5
            try await tx.save(current)
            try await tx.transaction { nested in
                current.authors.append("Another")
                try await nested.save(current)
            }
            return current.pages
        }
        try await db.reload(current)
        return pages
    }
}

/// Uses models on the main actor, on an actor, and in child tasks.
func checkIsolation(_ db: Database) async throws {
    let shelf = await Shelf(db: db)
    try await shelf.add("Amerika")
    try await shelf.tearOnePage()
    try await shelf.reload()
    let pages = await shelf.pages
    precondition(pages == [1])

    let librarian = Librarian(db: db)
    let id = try await librarian.write("Der Bau")
    let revised = try await librarian.revise()
    precondition(id != nil && revised == 15)

    try await withThrowingTaskGroup(of: Int64?.self) { group in
        for number in 0..<1000 {
            group.addTask {
                let book = Book(title: "Volume \(number)", pages: number, authors: [])
                try await db.save(book)
                return try await db.find(Book.self, key: book.id ?? 0)?.id
            }
        }
        var ids = Set<Int64>()
        for try await id in group { if let id { ids.insert(id) } }
        precondition(ids.count == 1000)
    }

    // A struct that an actor or a caller holds as a value.
    var card = try await db.save(Card(reader: "k", name: "Josef K."))
    card.name = "K."
    try await db.save(&card)
    let found = try await db.find(Card.self, key: "k")
    precondition(found == card)
    try await db.deleteAll(Book.self)
}
