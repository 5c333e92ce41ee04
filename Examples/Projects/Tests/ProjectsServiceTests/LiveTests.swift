import AsyncHTTPClient
import Foundation
import Holdfast
import HoldfastTesting
import NIOCore
import Testing

@testable import ProjectsService

@Suite(.database(models: Person.self, Project.self, Meeting.self))
struct LiveTests {
    /// The events of a stream, as they come.
    private struct Events {
        var chunks: HTTPClientResponse.Body.AsyncIterator
        var buffered = ""

        init(_ path: String, _ site: Site) async throws {
            let port = try #require(site.client.port)
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
            let response = try await HTTPClient.shared.execute(request, deadline: .now() + .seconds(60))
            #expect(response.headers.first(name: "content-type") == "text/event-stream")
            chunks = response.body.makeAsyncIterator()
        }

        /// The data of the next event; nil when the stream has ended.
        mutating func next() async throws -> String? {
            while true {
                if let end = buffered.range(of: "\n\n") {
                    let event = buffered[..<end.lowerBound]
                    buffered = String(buffered[end.upperBound...])
                    guard event.contains("data: ") else { continue }
                    let lines = event.split(separator: "\n", omittingEmptySubsequences: false)
                    return lines.filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }.joined(separator: "\n")
                }
                guard let chunk = try await chunks.next() else { return nil }
                buffered += String(buffer: chunk)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Site.engines)
    func `a list shows what is saved, by this instance and by others`(on engine: DriverType) async throws {
        try await Site.on(engine, .live) { site in
            var events = try await Events("/projects/live?show=running", site)
            #expect(try await events.next()?.contains("Nothing is here.") == true)
            try await site.post(
                "/projects", ["name": "Apollo", "code": "APL", "status": "running"])
            #expect(try await events.next()?.contains("Apollo") == true)

            // Another instance of the service is another connection to the same database.
            let other = try await Database.open(TestDatabase.current.configuration)
            let project = try #require(try await other.find(Project.self, key: 1))
            project.name = "Gemini"
            try await other.save(project)
            #expect(try await events.next()?.contains("Gemini") == true)
            project.status = .done
            try await other.save(project)
            #expect(try await events.next()?.contains("Nothing is here.") == true)
            try await other.close()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Site.engines)
    func `a form hears of other versions, and of the end`(on engine: DriverType) async throws {
        try await Site.on(engine, .live) { site in
            let person = Person(name: "Ada", email: "ada@x.org")
            try await site.db.save(person)
            var events = try await Events("/people/1/live", site)
            #expect(try await events.next() == "0")
            person.name = "Ada Lovelace"
            try await site.db.save(person)
            #expect(try await events.next() == "1")
            try await site.db.delete(person)
            #expect(try await events.next() == "gone")
        }
    }
}
