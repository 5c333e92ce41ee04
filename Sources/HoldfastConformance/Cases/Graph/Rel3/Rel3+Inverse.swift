import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel3Inverse: [ConformanceCase] = [
        graph(
            "rel-3.inverse-ended", "REL-3",
            "A reference that was set to nil stays so, though the other side gained another object"
        ) {
            environment in
            let db = try await environment.open(Company.self)
            let acme = Company("Acme")
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            acme.staff = [ann]
            try await db.save(acme)
            ann.company = nil
            acme.staff.append(bob)
            try await db.save([acme])
            let staff = try await db.texts("SELECT name FROM employee WHERE company_id IS NOT NULL")
            try expect(staff, equals: ["Bob"], "the staff")
            try expect(ann.company == nil && acme.staff.map(\.name) == ["Bob"], "The two sides differ in memory.")
        },
        graph("rel-3.inverse-added", "REL-3", "An object is added to a relation through either of its sides") {
            environment in
            let db = try await environment.open(Company.self)
            let company = Company("Acme")
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            company.staff = [bob]
            ann.company = company
            try await db.save([ann, cleo])
            try expect(
                bob.id != nil && bob.company === company,
                "An object that was added through the array does not lead back.")
            try expect(try await staff(db), equals: ["Ann Acme", "Bob Acme", "Cleo -"], "the staff")
            try await db.reload(company)
            company.staff.append(cleo)
            try await db.save(company)
            try expect(cleo.company === company && !cleo.isDirty, "An object that was added later does not lead back.")
            try expect(try await staff(db), equals: ["Ann Acme", "Bob Acme", "Cleo Acme"], "the staff")
            let same = try expect(some: try await db.fetch(Company.self).first, "the company")
            try expect(same.staff.map(\.name).sorted(), equals: ["Ann", "Bob", "Cleo"], "the staff, as it is loaded")
            try expect(same.staff.allSatisfy { $0.company === same }, "An object does not lead back to the instance.")
        },
        graph(
            "rel-3.inverse-stale-array", "REL-3",
            "An object that was added through its reference stays when the array is changed"
        ) {
            environment in
            let db = try await environment.open(Company.self)
            let company = Company("Acme")
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            ann.company = company
            try await db.save(ann)
            company.staff.append(bob)
            try await db.save(company)
            try expect(try await staff(db), equals: ["Ann Acme", "Bob Acme"], "the staff after a second one was added")
            try expect(ann.company === company, "The reference was taken away.")
        },
        graph("rel-3.inverse-moved", "REL-3", "An object moves from one owner to another through either side") {
            environment in
            let db = try await environment.open(Company.self)
            let (acme, zeta) = (Company("Acme"), Company("Zeta"))
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            acme.staff = [ann, bob]
            try await db.save([acme, zeta])
            ann.company = zeta
            try await db.save(ann)
            try expect(
                try await staff(db), equals: ["Ann Zeta", "Bob Acme"], "the staff after a change of the reference")
            let companies = try expect(try await db.fetch(Company.self), count: 2, "companies")
            try expect(companies.map(\.staff.count), equals: [1, 1], "the numbers of staff")
            companies[1].staff.append(companies[0].staff.removeFirst())
            try await db.save(companies)
            try expect(
                try await staff(db), equals: ["Ann Zeta", "Bob Zeta"], "the staff after a change of both arrays")
            try expect(
                companies[1].staff.allSatisfy { $0.company === companies[1] },
                "An object does not lead to its new owner.")
            let again = try expect(try await db.fetch(Company.self), count: 2, "companies")
            again[0].staff = again[1].staff
            try await db.save(again[0])
            try expect(try await staff(db), equals: ["Ann Acme", "Bob Acme"], "the staff after a change of one array")
        },
        graph(
            "rel-3.inverse-removed", "REL-3",
            "What is removed from the other side of a reference no longer refers to it"
        ) {
            environment in
            let db = try await environment.open(Company.self)
            let company = Company("Acme")
            let people = ["Ann", "Bob", "Cleo"].map { Employee($0) }
            company.staff = people
            try await db.save(company)
            company.staff.remove(at: 1)
            try await db.save(company)
            try expect(try await staff(db), equals: ["Ann Acme", "Bob -", "Cleo Acme"], "the staff")
            let bob = try expect(some: try await db.find(Employee.self, key: people[1].id ?? 0), "the employee")
            try expect(bob.company == nil, "An object that was removed still refers to its owner.")
            people[0].company = nil
            try await db.save(people[0])
            try expect(
                try await staff(db), equals: ["Ann -", "Bob -", "Cleo Acme"], "the staff after a reference became nil")
            company.staff = []
            try await db.save(company)
            try expect(try await staff(db), equals: ["Ann -", "Bob -", "Cleo -"], "the staff of nobody")
        },
        graph("rel-3.inverse-contradiction", "REL-3", "Two sides that were set to different things are refused") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Company.self) { probe.attach(to: &$0) }
            let (acme, zeta) = (Company("Acme"), Company("Zeta"))
            let ann = Employee("Ann")
            acme.staff = [ann]
            ann.company = zeta
            _ = probe.take()
            let error = try await expect(.conflict, from: "saving two sides that differ") {
                try await db.save([acme, zeta])
            }
            try expect(error.properties, equals: ["staff"], "the property that the error names")
            try expect(probe.take(), equals: [], "the statements that were sent")
            try expect(acme.id == nil && ann.isDirty && ann.company === zeta, "An object is not as before.")
            zeta.staff = [ann]
            ann.company = nil
            try await expect(.conflict, from: "saving an object that two owners hold") {
                try await db.save([acme, zeta])
            }
            try expect(try await db.count(Company.self), equals: 0, "the number of companies")
            acme.staff = []
            ann.company = zeta
            try await db.save([acme, zeta])
            try expect(try await staff(db), equals: ["Ann Zeta"], "the staff after both sides agreed")
        },
        graph(
            "rel-3.inverse-required", "REL-3",
            "What must have its owner can't be removed from it, but given to another or deleted"
        ) {
            environment in
            let db = try await environment.open(Stage.self)
            let (one, two) = (Stage("one"), Stage("two"))
            one.chores = [Chore("a"), Chore("b")]
            try await db.save([one, two])
            let removed = one.chores.removeLast()
            let error = try await expect(.notNullViolation, from: "removing what must have an owner") {
                try await db.save(one)
            }
            try expect(error.properties, equals: ["stage"], "the property that the error names")
            try expect(one.isDirty, "The object is not as before.")
            let titles: SQLFragment =
                "SELECT s.title FROM chore AS c JOIN stage AS s ON s.id = c.stage_id ORDER BY c.title"
            try expect(try await db.texts(titles), equals: ["one", "one"], "the stages of the chores")
            two.chores = [removed]
            removed.stage = two
            try await db.save([one, two])
            try expect(
                try await db.texts(titles), equals: ["one", "two"], "the stages after a chore was given to another")
            let gone = two.chores.removeLast()
            try await db.delete(gone)
            try await db.save(two)
            try expect(try await db.texts(titles), equals: ["one"], "the stages after a chore was deleted")
        },
        graph(
            "rel-3.inverse-array", "REL-3",
            "An array of many to many is read from both sides, and changed from the one that keeps it"
        ) {
            environment in
            let db = try await environment.open(Article.self)
            let articles = ["one", "two", "three"].map { Article($0) }
            let keywords = ["x", "y"].map { Keyword($0) }
            articles[0].keywords = [keywords[1], keywords[0]]
            articles[2].keywords = [keywords[0]]
            try await db.save(articles)
            let all = try await db.fetch(Keyword.self)
            let named = Dictionary(grouping: all, by: \.word).mapValues {
                $0.flatMap { $0.articles.map(\.title) }.sorted()
            }
            try expect(named, equals: ["x": ["one", "three"], "y": ["one"]], "the articles of the keywords")
            let x = try expect(some: all.first { $0.word == "x" }, "the keyword")
            let one = try expect(some: x.articles.first { $0.title == "one" }, "the article")
            try expect(one.keywords.map(\.word), equals: ["y", "x"], "the keywords, in their order")
            try expect(one.keywords[1] === x, "The cycle does not close.")
            x.word = "X"
            try await db.save(x)
            let error = try await expect(.unsupported, from: "adding on the side that keeps nothing") {
                x.articles.append(Article("four"))
                try await db.save(x)
            }
            try expect(error.properties, equals: ["articles"], "the property that the error names")
            let links = try await db.number("SELECT count(*) FROM article_keywords")
            try expect(links, equals: 3, "the number of links")
            try await db.delete(keywords[0])
            let words = try await db.fetch(Article.self).map { $0.keywords.map(\.word) }
            try expect(words, equals: [["y"], [], []], "the keywords after one was deleted")
        },
        graph(
            "rel-3.inverse-array-removed", "REL-3",
            "Removing on the side of many to many that keeps nothing is refused, not forgotten"
        ) {
            environment in
            let db = try await environment.open(Article.self)
            let articles = ["one", "two"].map { Article($0) }
            let keyword = Keyword("x")
            for article in articles { article.keywords = [keyword] }
            try await db.save(articles)
            try await db.reload(keyword)
            try expect(keyword.articles, count: 2, "articles")
            keyword.articles.removeLast()
            try await expect(.unsupported, from: "removing on the side that keeps nothing") {
                try await db.save(keyword)
            }
            try expect(keyword.isDirty, "The object is not as before.")
            try expect(try await db.number("SELECT count(*) FROM article_keywords"), equals: 2, "the number of links")
            keyword.articles = []
            try await expect(.unsupported, from: "removing all on the side that keeps nothing") {
                try await db.save(keyword)
            }
        },
    ]

    /// Each employee with its company, as SQL sees them.
    private static func staff(_ db: Database) async throws -> [String] {
        try await db.sql(
            "SELECT e.name, c.name FROM employee AS e LEFT JOIN company AS c ON c.id = e.company_id ORDER BY e.name"
        ).fetch(as: (String, String?).self).map { "\($0) \($1 ?? "-")" }
    }
}
