import Foundation
import Holdfast
import HoldfastTesting
import Testing

@testable import ProjectsService

@Suite(
    .database(prepare: { db in
        try await db.migrate(Schema(Person.self, Project.self, Meeting.self, version: 1))
        let people = [Person(name: "Ada", email: "ada@x.org"), Person(name: "Bob", email: "bob@x.org")]
        try await db.save(
            (0..<50).map { number in
                let project = Project(code: "P\(number)", name: number % 2 == 0 ? "Moon \(number)" : "Sea <\(number)>")
                project.status = ProjectStatus.allCases[number % 4]
                project.lead = number % 5 == 0 ? nil : people[number % 2]
                project.dueOn = number % 7 == 0 ? nil : Date(timeIntervalSince1970: Double(number) * 86_400)
                return project
            })
    }))
struct ListTests {
    /// The names on a page, and the address of the next.
    static func read(_ page: String) -> (names: [String], next: String?) {
        let names = page.all(from: #"<td class="strong">"#, to: "</td>").map {
            $0.all(from: ">", to: "<")[0]
        }
        let next = page.all(from: #"<a class="button" href=""#, to: "</a>").first { $0.contains("rel=\"next\"") }
        return (names, next?.components(separatedBy: "\"")[0].replacing("&amp;", with: "&"))
    }

    @Test(
        arguments: Site.engines,
        ["", "name", "-name", "code", "-code", "status", "lead.name", "-lead.name", "dueOn", "-dueOn"])
    func `following the pages shows each project once, in its order`(
        on engine: DriverType, sort: String
    )
        async throws
    {
        try await Site.on(engine) { site in
            var names: [String] = []
            var path: String? = "/projects?sort=\(sort)"
            while let current = path {
                let page = try await site.get(current)
                try #require(page.status == 200)
                let (found, next) = Self.read(page.text)
                names += found
                path = next
            }
            #expect(Set(names).count == 50)
            #expect(names.count == 50)
            let texts = names.map { $0.replacing("&lt;", with: "<").replacing("&gt;", with: ">") }
            if sort == "name" { #expect(texts == texts.sorted()) }
            if sort == "-name" { #expect(texts == texts.sorted(by: >)) }
        }
    }

    @Test(arguments: Site.engines) func `lists are searched and narrowed`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            for (query, text) in [
                ("search=moon", "25 projects"), ("search=ADA", "20 projects"),
                ("search=moon&show=planned", "13 projects"),
                ("search=%3C49%3E", "Sea &lt;49&gt;"), ("search=%25", "Nothing is here."),
                // As browsers send spaces, and plus signs.
                ("search=moon+4", "6 projects"), ("search=moon%2B4", "0 projects"),
                ("search=moon%2B4", "search=moon%2B4&amp;show=planned"),
            ] {
                let page = try await site.get("/projects?\(query)").text
                #expect(page.contains(text), "\(query)")
            }
        }
    }

    @Test(arguments: Site.engines, ["sort=secret", "show=all", "after=nonsense", "after=AQIAAAA"])
    func `addresses that no link has are refused`(on engine: DriverType, query: String) async throws {
        try await Site.on(engine) { site in
            let status = try await site.get("/projects?\(query)").status
            #expect(status == 400)
        }
    }
}
