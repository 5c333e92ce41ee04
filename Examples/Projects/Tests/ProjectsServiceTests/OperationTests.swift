import Foundation
import Holdfast
import HoldfastTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ProjectsService

@Suite(.database(models: Person.self, Project.self, Meeting.self))
struct OperationTests {
    @Test(arguments: Site.engines) func `the service says how it is`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            #expect(try await site.get("/health").status == 200)
            #expect(try await site.get("/ready").status == 200)
            #expect(try await site.get("/projects").status == 200)
            let metrics = try await site.get("/metrics").text
            #expect(metrics.contains("# TYPE db_client_operation_duration_seconds histogram"))
            #expect(metrics.contains("# TYPE http_server_request_duration_seconds histogram"))
            #expect(metrics.contains("http_route=\"/projects\""))
        }
    }

    @Test(arguments: Site.engines) func `without its database it answers that it can't`(
        on engine: DriverType
    )
        async throws
    {
        try await Site.on(engine) { site in
            try await site.db.close()
            #expect(try await site.get("/health").status == 200)
            #expect(try await site.get("/ready").status == 503)
            let page = try await site.client.execute(uri: "/projects", method: .get) { $0 }
            #expect(page.status == .serviceUnavailable)
            #expect(page.headers[.retryAfter] == "1")
            #expect(!String(buffer: page.body).contains("closed"))
            let answer = try await site.get("/api/projects")
            #expect(answer.status == 503)
            #expect(answer.text == #"{"error":{"status":503,"reason":"Service Unavailable"}}"#)
        }
    }

    @Test(arguments: Site.engines) func `an answer that was lost is no promise that nothing was done`(
        on engine: DriverType
    ) async throws {
        try await Site.on(engine) { site in
            try TestDatabase.current.faults.inject(.commitOutcomeUnknown(isCommitted: true))
            let sent = try await site.post("/people", ["name": "Ada", "email": "ada@x.org"])
            #expect(sent.status == 500)
            #expect(sent.text.contains("Look whether your change was made"))
            #expect(try await site.db.count(Person.self) == 1)
        }
    }

    @Test(arguments: Site.engines) func `an empty database is filled once`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            try await SampleData.add(to: site.db)
            try await SampleData.add(to: site.db)
            #expect(try await site.get("/projects").text.contains("10 projects"))
            #expect(try await site.get("/meetings?show=coming").status == 200)
            #expect(try await site.get("/people").text.contains("Karen Spärck Jones"))
        }
    }

    @Test(arguments: Site.engines) func `programs get JSON`(on engine: DriverType) async throws {
        try await Site.on(engine) { site in
            try await SampleData.add(to: site.db)
            let page = try JSON(parsing: try await site.get("/api/projects?show=running").text)
            #expect(page["total"]?.integer == 4)
            let one = try JSON(parsing: try await site.get("/api/projects/1").text)
            #expect(one["lead"]?["name"]?.string == "Ada Lovelace")
            #expect(page["links"]?["next"]?.isNull == true)

            let created = try await site.send(.post, "/api/projects", #"{"code":"NEW","name":"New"}"#)
            #expect(created.status == 201)
            #expect(try await site.send(.post, "/api/projects", #"{"code":"NEW","name":"New"}"#).status == 409)

            // Only what was sent is set, and only from the version that was seen.
            let path = "/api/projects/\(created.json["id"]?.integer ?? 0)"
            let changed = try await site.send(.patch, path, #"{"version":0,"status":"running","notes":"Now."}"#)
            #expect(changed.status == 200)
            #expect(changed.json["name"]?.string == "New")
            #expect(changed.json["version"]?.integer == 1)
            #expect(try await site.send(.patch, path, #"{"version":0,"name":"Newer"}"#).status == 409)
            for body in [
                #"{"id":1}"#, #"{"status":"lost"}"#, #"{"lead":1}"#, #"{"nmae":"x"}"#, #"{"name":1}"#, "[]", "{",
            ] {
                #expect(try await site.send(.patch, path, body).status == 422, "\(body)")
            }
            #expect(try await site.send(.patch, "/api/projects/999", "{}").status == 404)
            let project = try await site.db.query(Project.self).where { $0.code == "NEW" }.one()
            #expect(project.status == .running)
            #expect(project.name == "New")
        }
    }
}
