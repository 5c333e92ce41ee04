import Holdfast

/// A random sequence of operations on flat objects.
struct RandomTrial: Trial {
    /// The values of a row, with its arrays.
    struct Contents: Equatable {
        var name: String
        var tags: [String]
        var scores: [Int]?
        var gaps: [Int?]

        /// By bytes: Swift calls two forms of one letter equal.
        static func == (left: Contents, right: Contents) -> Bool {
            left.name.utf8.elementsEqual(right.name.utf8) && left.scores == right.scores && left.gaps == right.gaps
                && left.tags.elementsEqual(right.tags) { $0.utf8.elementsEqual($1.utf8) }
        }
    }

    static let longest = 8
    var generator: SplitMix64
    private var rows: [Int64: Contents] = [:]
    private var numbers: [Int64: String] = [:]
    var log: [String] = []
    var operationCount = 0

    var world: (rows: [Int64: Contents], numbers: [Int64: String]) {
        get { (rows, numbers) }
        set { (rows, numbers) = newValue }
    }

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    // MARK: Operations

    mutating func operate(_ context: some DatabaseContext) async throws {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: try await insert(context, count: 1)
        case 2: try await insert(context, count: Int.random(in: 2...20, using: &generator))
        case 3, 4, 5: try await change(context, count: 1)
        case 6: try await change(context, count: Int.random(in: 2...10, using: &generator))
        case 7: try await delete(context)
        case 8: try await insertNumber(context)
        case 9: try await updateNumber(context)
        case 10: try await fetchSome(context)
        default: try await changeBySQL(context)
        }
    }

    private mutating func contents() -> Contents {
        let words = ["", "a", "b", "é", "e\u{301}", "😀", "'", "\\", "Z", "10"]
        func word(_ generator: inout SplitMix64) -> String { words[Int.random(in: 0..<words.count, using: &generator)] }
        func list<Element>(_ element: (inout SplitMix64) -> Element) -> [Element] {
            (0..<Int.random(in: 0...5, using: &generator)).map { _ in element(&generator) }
        }
        return Contents(
            name: word(&generator),
            tags: list(word),
            scores: Bool.random(using: &generator) ? list { Int.random(in: -3...3, using: &$0) } : nil,
            gaps: list { Bool.random(using: &$0) ? Int.random(in: .min ... .max, using: &$0) : nil }
        )
    }

    private mutating func insert(_ context: some DatabaseContext, count: Int) async throws {
        let all = (0..<count).map { _ in contents() }
        log.append("insert \(all)")
        let objects = all.map { Tagged($0.name, tags: $0.tags, scores: $0.scores, gaps: $0.gaps) }
        try await context.save(objects)
        for (object, contents) in zip(objects, all) {
            let key = try expect(some: object.id, "the key of an inserted object")
            try expect(rows.updateValue(contents, forKey: key) == nil, "The key \(key) was given twice.")
        }
    }

    private mutating func keys(_ count: Int) -> [Int64] {
        Array(rows.keys.sorted().shuffled(using: &generator).prefix(count))
    }

    private mutating func change(_ context: some DatabaseContext, count: Int) async throws {
        let keys = keys(count)
        let objects = try await context.fetch(Tagged.self, keys: keys)
        try expect(objects.map(\.id), equals: keys, "the keys of the objects to be changed")
        for object in objects {
            let key = try expect(some: object.id, "the key of a fetched object")
            let new = contents()
            let parts = Int.random(in: 0..<16, using: &generator)
            log.append("change \(key) to \(new), parts \(parts)")
            if parts & 1 != 0 { object.name = new.name; rows[key]?.name = new.name }
            if parts & 2 != 0 { object.tags = new.tags; rows[key]?.tags = new.tags }
            if parts & 4 != 0 { object.scores = new.scores; rows[key]?.scores = new.scores }
            if parts & 8 != 0 { object.gaps = new.gaps; rows[key]?.gaps = new.gaps }
        }
        try await context.save(objects)
    }

    private mutating func delete(_ context: some DatabaseContext) async throws {
        let keys = keys(Int.random(in: 1...3, using: &generator))
        log.append("delete \(keys)")
        let objects = try await context.fetch(Tagged.self, keys: keys)
        try expect(try await context.delete(objects), equals: keys.count, "the number of rows deleted")
        for key in keys { rows[key] = nil }
    }

    private mutating func insertNumber(_ context: some DatabaseContext) async throws {
        let number = Int64.random(in: -5...5, using: &generator)
        let title = contents().name
        log.append("insert the number \(number)")
        guard numbers[number] != nil else {
            try await context.insert(Numbered(number, title))
            numbers[number] = title
            return
        }
        // Inside a transaction the failure ends it, so it goes into a savepoint.
        try await expect(.uniqueViolation, from: "inserting a number that exists") {
            if let transaction = context as? Transaction {
                try await transaction.transaction { try await $0.insert(Numbered(number, title)) }
            } else {
                try await context.insert(Numbered(number, title))
            }
        }
    }

    private mutating func updateNumber(_ context: some DatabaseContext) async throws {
        let number = Int64.random(in: -5...5, using: &generator)
        let title = contents().name
        log.append("update the number \(number)")
        if numbers[number] != nil {
            try await context.update(Numbered(number, title))
            numbers[number] = title
        } else {
            try await expect(.notFound, from: "updating a number that does not exist") {
                try await context.update(Numbered(number, title))
            }
        }
    }

    private mutating func fetchSome(_ context: some DatabaseContext) async throws {
        let known = keys(5)
        let asked = (known + [-1, 999_999] + known.prefix(2)).shuffled(using: &generator)
        log.append("fetch \(asked)")
        let found = try await context.fetch(Tagged.self, keys: asked)
        let expected = asked.compactMap { rows[$0] }
        try expect(found.map(Contents.init), equals: expected, "the objects of some keys")
    }

    private mutating func changeBySQL(_ context: some DatabaseContext) async throws {
        let (old, new) = (contents().name, contents().name)
        log.append("SQL changes \(old) to \(new)")
        let changed = try await context.sql("UPDATE \(Tagged.self) SET name = \(new) WHERE name = \(old)").execute()
        var count = 0
        for (key, row) in rows where row.name.utf8.elementsEqual(old.utf8) {
            rows[key]?.name = new
            count += 1
        }
        try expect(changed, equals: count, "the number of rows that SQL changed")
    }

    // MARK: Comparison

    func compare(_ db: Database) async throws {
        try await db.read { tx in
            let objects = try await tx.fetch(Tagged.self)
            try expect(objects.compactMap(\.id), equals: rows.keys.sorted(), "the keys")
            for object in objects {
                let key = try expect(some: object.id, "a key")
                let expected = try expect(some: rows[key], "a row of the model")
                try expect(Contents(object), equals: expected, "the object \(key)")
                try expect(object.name, isExactly: expected.name, "the name of \(key)")
            }
            let numbered = try await tx.fetch(Numbered.self)
            try expect(numbered.map(\.number), equals: numbers.keys.sorted(), "the numbers")
            for object in numbered {
                try expect(object.title, isExactly: numbers[object.number], "the title of \(object.number)")
            }
            try expect(try await tx.count(Tagged.self), equals: rows.count, "the number of rows")
        }
    }
}

extension RandomTrial.Contents {
    fileprivate init(_ object: Tagged) {
        self.init(name: object.name, tags: object.tags, scores: object.scores, gaps: object.gaps)
    }
}
