import Foundation
import Holdfast
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Projects as JSON, for programs.
struct ProjectInterface: Sendable {
    /// The properties that programs may set.
    ///
    /// The key and the version come back as they were sent, or the request is refused.
    private static var settable: [PartialKeyPath<Project>] {
        [\.code, \.name, \.status, \.dueOn, \.notes]
    }

    let db: Database

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.group("api/projects")
            .get(use: list)
            .post(use: create)
            .get(":id", use: show)
            .patch(":id", use: change)
    }

    /// Answers with a page of projects, such as that of `?show=running&sort=name`.
    func list(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let filter = try ListFilter<Project>(request.uri)
        let query = filter.query(in: db)
        let page = try await query.page(size: ListFilter<Project>.pageSize, after: filter.position)
        return Self.response(try page.json(total: try await query.count(), link: request.uri.string))
    }

    func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        Self.response(try await project(context).json(including: ["lead", "members"]))
    }

    func create(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let project = try Project(json: try await Self.body(of: request), allowing: Self.settable)
        try await save(project)
        var response = Self.response(try project.json())
        response.status = .created
        response.headers[.location] = "/api/projects/\(project.id ?? 0)"
        return response
    }

    /// Sets what was sent, and leaves the rest as it is.
    ///
    /// With a version, only if nobody has changed it since.
    func change(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let body = try await Self.body(of: request)
        let project = try await project(context)
        try project.setValues(json: body, allowing: Self.settable)
        try await save(project)
        return Self.response(try project.json(including: ["lead", "members"]))
    }

    private func save(_ project: Project) async throws {
        guard project.normalize().isEmpty else { throw HTTPError(.unprocessableContent) }
        try await db.save(project)
    }

    private func project(_ context: BasicRequestContext) async throws -> Project {
        guard let key = context.parameters.get("id", as: Int64.self),
            let project = try await db.find(Project.self, key: key, including: ["members"])
        else { throw HTTPError(.notFound) }
        return project
    }

    private static func body(of request: Request) async throws -> JSON {
        let buffer = try await request.body.collect(upTo: 1 << 20)
        return try JSON(parsing: String(buffer: buffer))
    }

    private static func response(_ json: JSON) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
    }
}
