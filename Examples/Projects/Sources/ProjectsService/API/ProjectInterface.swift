import Foundation
import Holdfast
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Projects as JSON, for programs.
struct ProjectInterface: Sendable {
    let db: Database

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.group("api/projects")
            .get(use: list)
            .post(use: create)
            .get(":id", use: show)
    }

    /// A page of projects: `?show=running&sort=name&after=…`
    func list(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let filter = try ListFilter<Project>(request.uri)
        let query = filter.query(in: db)
        let page = try await query.page(size: ListFilter<Project>.pageSize, after: filter.position)
        return Self.response(try page.json(total: try await query.count()))
    }

    func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        Self.response(try await project(context).json(including: ["lead", "members"]))
    }

    func create(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Body: Decodable {
            var code: String
            var name: String
        }
        let body = try await request.decode(as: Body.self, context: context)
        let project = Project(code: body.code, name: body.name)
        try await db.save(project)
        var response = Self.response(try project.json())
        response.status = .created
        response.headers[.location] = "/api/projects/\(project.id ?? 0)"
        return response
    }

    private func project(_ context: BasicRequestContext) async throws -> Project {
        guard let key = context.parameters.get("id", as: Int64.self),
            let project = try await db.find(Project.self, key: key, including: ["members"])
        else { throw HTTPError(.notFound) }
        return project
    }

    private static func response(_ json: JSON) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
    }
}
