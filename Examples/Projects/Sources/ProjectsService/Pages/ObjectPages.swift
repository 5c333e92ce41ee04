import Foundation
import Holdfast
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The pages of one type of objects: the list, the forms, and what keeps both current.
struct ObjectPages<Model: PageObject>: Sendable {
    let db: Database

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.group("\(Model.path)")
            .get(use: list)
            .post(use: create)
            .get("live", use: followList)
            .get("new", use: showBlank)
            .get(":id", use: show)
            .post(":id", use: update)
            .get(":id/live", use: follow)
            .post(":id/delete", use: delete)
    }

    /// The key of the object that an address names.
    func key(_ context: BasicRequestContext) throws -> Int64 {
        guard let key = context.parameters.get("id", as: Int64.self) else { throw HTTPError(.notFound) }
        return key
    }

    /// The object that an address names, with all that its form shows.
    func object(_ context: BasicRequestContext) async throws -> Model {
        guard let object = try await db.find(Model.self, key: key(context), including: Model.formRelations) else {
            throw HTTPError(.notFound)
        }
        return object
    }

    // MARK: Lists

    func list(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let filter = try ListFilter<Model>(request.uri)
        let page = ListPage(filter)
        let rows = try await page.rows(of: filter.query(in: db))
        return PageLayout.page(page.content(rows: rows), title: Model.path.capitalized, in: Model.path)
    }

    /// Sends the rows of a list whenever a commit, by whatever instance of the service, changes what is to be seen.
    func followList(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let filter = try ListFilter<Model>(request.uri)
        return try EventStream.response(to: request, event: "rows", logger: context.logger) { [db] in
            filter.query(in: db).observe { try await ListPage(filter).rows(of: $0).text }
        }
    }

    // MARK: Objects

    func showBlank(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let input = try FormInput(encoded: request.uri.query ?? "")
        let object = try await Model.blank(input, in: db)
        var form = FormPage(object, people: try await everybody())
        form.address = input
        return answer(form)
    }

    func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        answer(FormPage(try await object(context), people: try await everybody()))
    }

    /// Sends the version of an object whenever it changes; `gone` once it is deleted.
    func follow(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let key = try key(context)
        return try EventStream.response(to: request, event: "version", logger: context.logger) { [db] in
            db.query(Model.self).where { $0.hasKey(key) }.observe { query in
                try await query.first().map { "\($0.version)" } ?? "gone"
            }
        }
    }

    func create(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let input = try await FormInput.body(of: request)
        return try await save(try await Model.blank(input, in: db), input)
    }

    func update(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let input = try await FormInput.body(of: request)
        return try await save(try await object(context), input)
    }

    func delete(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let object = try await object(context)
        let input = try await FormInput.body(of: request)
        // Who deletes has seen something: this, or an older version.
        guard input.text("version") == "\(object.version)" else {
            return try await conflict(over: object, with: nil, [:])
        }
        try await db.delete(object)
        return .redirect(to: "/\(Model.path)")
    }

    private func answer(_ form: FormPage<Model>, status: HTTPResponse.Status = .ok) -> Response {
        PageLayout.page(form.content, title: form.title, in: Model.path, status: status)
    }

    // MARK: Saving

    /// Saves what a form holds, or answers with the form and what is wrong with it.
    private func save(_ object: Model, _ input: FormInput) async throws -> Response {
        let people = try await everybody()
        let current = object.fields(people: people)
        let seen = Int(input.text("version"))
        let isStale = object.id != nil && seen != object.version
        var problems = object.take(input, people: people)
        if isStale { return try await conflict(over: object, with: current, problems) }
        if problems.isEmpty {
            do {
                try await db.save(object)
                return .redirect(to: "/\(Model.path)/\(object.id ?? 0)")
            } catch let error as DatabaseError where error.code == .uniqueViolation {
                for property in error.properties { problems[property] = "Somebody has this already." }
            } catch let error as DatabaseError where error.code == .staleVersion {
                // Saved by somebody else between our reading it and now.
                guard let theirs = try await db.find(Model.self, key: object.id ?? 0, including: Model.formRelations)
                else { throw HTTPError(.notFound) }
                object.version = theirs.version
                return try await conflict(over: object, with: theirs.fields(people: people), problems)
            }
        }
        var form = FormPage(object, people: people)
        form.problems = problems
        if object.id == nil { form.address = input }
        return answer(form, status: .unprocessableContent)
    }

    /// Shows what was sent beside what somebody else has saved meanwhile.
    ///
    /// Sent again, it replaces that.
    private func conflict(
        over object: Model, with theirs: [FormField]?, _ problems: [String: String]
    ) async throws -> Response {
        var form = FormPage(object, people: try await everybody())
        form.problems = problems
        form.theirs = theirs ?? []
        form.isConflict = true
        return answer(form, status: .conflict)
    }

    /// Everybody: a form that left somebody out would take them off the project when it is sent.
    private func everybody() async throws -> [Person] {
        try await db.query(Person.self).order { [$0.name.ascending] }.fetch()
    }
}

extension PageObject {
    /// Sets a property if that changes it, so that sending a form as it was saves nothing.
    func set<Value: Equatable>(_ property: ReferenceWritableKeyPath<Self, Value>, to value: Value) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
