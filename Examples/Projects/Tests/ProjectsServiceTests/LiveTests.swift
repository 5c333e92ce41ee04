import AsyncHTTPClient
import Foundation
import Holdfast
import HoldfastTesting
import HummingbirdTesting
import NIOCore
import NIOHTTP1
import Testing

@testable import ProjectsService

@Suite(.database(models: Person.self, Project.self, Meeting.self))
struct LiveTests {
    /// The data of the events that an address sends, as they come, until the body has ended.
    private static func events(
        _ path: String, _ site: Site,
        _ body: (inout AsyncThrowingStream<String, any Error>.Iterator) async throws -> Void
    ) async throws {
        let port = try #require(site.client.port)
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        let response = try await HTTPClient.shared.execute(request, deadline: .now() + .seconds(60))
        #expect(response.headers.first(name: "content-type") == "text/event-stream")
        let (events, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        let reader = Task {
            var buffered = ""
            for try await chunk in response.body {
                buffered += String(buffer: chunk)
                while let end = buffered.range(of: "\n\n") {
                    let lines = buffered[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
                    let data = lines.filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }
                    if !data.isEmpty { continuation.yield(data.joined(separator: "\n")) }
                    buffered = String(buffered[end.upperBound...])
                }
            }
            continuation.finish()
        }
        defer { reader.cancel() }
        var iterator = events.makeAsyncIterator()
        try await body(&iterator)
    }

    @Test(.timeLimit(.minutes(1)), arguments: Site.engines)
    func `a list shows what is saved, by this instance and by others`(on engine: DriverType) async throws {
        try await Site.on(engine, .live) { site in
            try await Self.events("/projects/live?show=running", site) { events in
                let empty = try await events.next(isolation: #isolation)
                #expect(empty?.contains("Nothing is here.") == true)
                try await site.post("/projects", ["name": "Apollo", "code": "APL", "status": "running"])
                let created = try await events.next(isolation: #isolation)
                #expect(created?.contains("Apollo") == true)

                // Another instance of the service is another connection to the same database.
                let other = try await Database.open(TestDatabase.current.configuration)
                let project = try #require(try await other.find(Project.self, key: 1))
                project.name = "Gemini"
                try await other.save(project)
                let renamed = try await events.next(isolation: #isolation)
                #expect(renamed?.contains("Gemini") == true)
                project.status = .done
                try await other.save(project)
                let done = try await events.next(isolation: #isolation)
                #expect(done?.contains("Nothing is here.") == true)
                try await other.close()
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Site.engines)
    func `a form hears of other versions, and of the end`(on engine: DriverType) async throws {
        try await Site.on(engine, .live) { site in
            let person = Person(name: "Ada", email: "ada@x.org")
            try await site.db.save(person)
            try await Self.events("/people/1/live", site) { events in
                let first = try await events.next(isolation: #isolation)
                #expect(first == "0")
                person.name = "Ada Lovelace"
                try await site.db.save(person)
                let second = try await events.next(isolation: #isolation)
                #expect(second == "1")
                try await site.db.delete(person)
                let third = try await events.next(isolation: #isolation)
                #expect(third == "gone")
            }
        }
    }
}
