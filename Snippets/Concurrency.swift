// The examples of the article "Concurrency".

import Holdfast

// snippet.main-actor
@MainActor
final class ProjectList {
    let db: Database
    private(set) var projects: [Project] = []

    init(db: Database) { self.db = db }

    func load() async throws {
        projects = try await db.fetch(Project.self)  // decoded elsewhere, then transferred here
    }

    func rename(_ project: Project, to name: String) async throws {
        project.name = name
        try await db.save(project)  // the main actor is free while it waits
    }
}
// snippet.end

// snippet.actor
actor Counter {
    let db: Database
    private let project: Project

    init(db: Database, project: sending Project) {
        self.db = db
        self.project = project
    }

    func spend(_ amount: Int) async throws {
        try await db.transaction { tx in
            project.budget -= amount
            try await tx.save(project)
        }
    }
}
// snippet.end

// snippet.struct-in-actor
actor Thermometer {
    let db: Database
    private var reading = Point(name: "kitchen", x: 0, y: 0)

    init(db: Database) { self.db = db }

    func set(_ value: Double) async throws {
        var changed = reading
        changed.x = value
        reading = try await db.save(changed)
    }
}
// snippet.end

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}

@Table
struct Point {
    @PrimaryKey let name: String
    var x: Double
    var y: Double
}
