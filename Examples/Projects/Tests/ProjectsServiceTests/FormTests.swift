import Foundation
import Holdfast
import HoldfastTesting
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import ProjectsService

@Suite(.database(models: Person.self, Project.self, Meeting.self))
struct FormTests {
    @Test(arguments: Site.engines) func `a project is created, shown and changed`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            try await site.db.save([Person(name: "Ada", email: "ada@x.org"), Person(name: "Bob", email: "bob@x.org")])
            let created = try await site.post(
                "/projects",
                [
                    "version": "0", "name": "Apollo", "code": "apl", "status": "running", "dueOn": "2026-12-24",
                    "lead": "1", "members": "1", "members": "2", "notes": "One.\r\nTwo & <three>.",
                ])
            #expect(created.status == 303)
            #expect(created.location == "/projects/1")

            let project = try #require(try await site.db.find(Project.self, key: 1, including: ["members"]))
            #expect(project.code == "APL")
            #expect(project.dueOn == Dates.fromDay("2026-12-24"))
            #expect(project.lead?.name == "Ada")
            #expect(project.members.map(\.name) == ["Ada", "Bob"])
            #expect(project.notes == "One.\nTwo & <three>.")

            let page = try await site.get("/projects/1").text
            #expect(page.contains("Two &amp; &lt;three&gt;."))
            #expect(page.contains(#"name="dueOn" type="date" value="2026-12-24""#))
            #expect(page.contains(#"<option value="1" selected>Ada</option>"#))

            // Sent as it is, but for the status.
            let changed = try await site.post(
                "/projects/1",
                [
                    "version": "\(project.version)", "name": "Apollo", "code": "APL", "status": "done",
                    "dueOn": "2026-12-24", "lead": "1", "members": "1", "members": "2",
                    "notes": "One.\r\nTwo & <three>.",
                ])
            #expect(changed.status == 303)
            let statements = try TestDatabase.current.statements
            #expect(statements.sql.last { $0.hasPrefix("UPDATE") }?.contains("name") == false)
            #expect(try await site.db.find(Project.self, key: 1)?.status == .done)
        }
    }

    @Test(arguments: Site.engines) func `what can't be saved is shown with what is wrong`(
        on engine: DriverType
    )
        async throws
    {
        try await Site.on(engine) { site in
            try await site.post("/people", ["name": "Ada", "email": "ada@x.org"])
            let taken = try await site.post("/people", ["name": "Another <Ada>", "email": "Ada@x.org"])
            #expect(taken.status == 422)
            #expect(taken.text.contains("Somebody has this already."))
            #expect(taken.text.contains(#"value="Another &lt;Ada&gt;""#))

            let empty = try await site.post("/projects", ["name": " ", "code": "", "status": "lost", "dueOn": "soon"])
            #expect(empty.status == 422)
            for problem in ["needs a name", "needs a code", "no such status", "Write the day"] {
                #expect(empty.text.contains(problem))
            }
            #expect(try await site.db.count(Person.self) == 1)
            #expect(try await site.db.count(Project.self) == 0)
        }
    }

    @Test(arguments: Site.engines) func `two who edit one project see each other's changes`(
        on engine: DriverType
    )
        async throws
    {
        try await Site.on(engine) { site in
            try await site.db.save(Project(code: "APL", name: "Apollo"))
            let fields: KeyValuePairs = ["version": "0", "name": "Apollo 11", "code": "APL", "status": "planned"]
            #expect(try await site.post("/projects/1", fields).status == 303)

            let second = try await site.post(
                "/projects/1", ["version": "0", "name": "Apollo 12", "code": "APL", "status": "running"])
            #expect(second.status == 409)
            #expect(second.text.contains("Somebody else has changed this project"))
            #expect(second.text.contains("Saved now: Apollo 11"))
            #expect(second.text.contains("Saved now: Planned"))
            #expect(second.text.contains(#"value="Apollo 12""#))
            #expect(!second.text.contains("Saved now: APL"))
            #expect(try await site.db.find(Project.self, key: 1)?.name == "Apollo 11")

            // The page has the version that is saved now, so sending it again replaces that.
            let version = try #require(second.text.all(from: #"name="version" value=""#, to: "\"").first)
            let third = try await site.post(
                "/projects/1", ["version": version, "name": "Apollo 12", "code": "APL", "status": "running"])
            #expect(third.status == 303)
            #expect(try await site.db.find(Project.self, key: 1)?.name == "Apollo 12")
        }
    }

    @Test(arguments: Site.engines) func `of many who save one version at a time, one succeeds`(
        on engine: DriverType
    )
        async throws
    {
        try await Site.on(engine) { site in
            try await site.db.save(Project(code: "APL", name: "Apollo"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...20 {
                    group.addTask {
                        try await site.post(
                            "/projects/1",
                            ["version": "0", "name": "Apollo \(number)", "code": "APL", "status": "planned"]
                        ).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [303] + [Int](repeating: 409, count: 19))
            #expect(try await site.db.find(Project.self, key: 1)?.version == 1)
        }
    }

    @Test(arguments: Site.engines) func `a project goes with its meetings, if nobody has changed it`(
        on engine: DriverType
    ) async throws {
        try await Site.on(engine) { site in
            try await site.db.save(Project(code: "APL", name: "Apollo"))
            let meeting = try await site.post(
                "/meetings", ["project": "1", "title": "Review", "startsAt": "2026-12-01T09:30"])
            #expect(meeting.location == "/meetings/1")
            #expect(try await site.get("/projects/1").text.contains("1 Dec 2026, 09:30"))
            #expect(try await site.post("/projects/1/delete", ["version": "7"]).status == 409)
            #expect(try await site.post("/projects/1/delete", ["version": "0"]).status == 303)
            #expect(try await site.db.count(Meeting.self) == 0)
            #expect(try await site.get("/projects/1").status == 404)
            #expect(try await site.post("/projects/1", ["version": "0"]).status == 404)
        }
    }

    @Test(arguments: Site.engines, ["name=%zz", "%", "name=%FF&email=x", "=&=&&", "\u{0}=\u{0}&name=%00&email=a@b"])
    func `what no browser sends ends nothing`(on engine: DriverType, body: String) async throws {
        try await Site.on(engine) { site in
            let sent = try await site.client.execute(
                uri: "/people", method: .post, body: ByteBuffer(string: body)
            ) { $0.status.code }
            #expect([400, 422].contains(sent))
            let blank = try await site.get("/meetings/new?project=%zz").status
            #expect(blank == 400)
            #expect(try await site.db.count(Person.self) == 0)
        }
    }

    @Test(arguments: Site.engines, ["\"\u{301}>\u{301}<b>", "\u{600}<b>", "x\r\revent: rows\rdata: y", "a\u{2028}b"])
    func `names are text, whatever scalars they are made of`(on engine: DriverType, name: String) async throws {
        try await Site.on(engine) { site in
            try await site.db.save(Person(name: name, email: "ada@x.org"))
            for path in ["/people", "/people/1"] {
                let page = try await site.get(path).text
                #expect(!page.unicodeScalars.map(String.init).joined(separator: " ").contains("< b >"))
            }
            let event = EventStream.text("rows", name)
            let lines = event.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast(2)
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("data: ") })
        }
    }

    @Test(arguments: Site.engines) func `another site's page can't send a form`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            let header = try #require(SameOriginMiddleware.header)
            let sent = try await site.post(
                "/people", ["name": "Eve", "email": "eve@x.org"], headers: [header: "cross-site"])
            #expect(sent.status == 403)
            #expect(try await site.db.count(Person.self) == 0)
        }
    }
}
