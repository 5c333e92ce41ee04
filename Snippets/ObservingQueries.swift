// The examples of the article "Observing queries".

import Holdfast

func observeResults(db: Database) async throws {
    // snippet.results
    for try await results in db.query(Project.self).where({ $0.budget > 1_000 }).order(\.name).observe() {
        print(results.objects.count)
        for key in results.difference.removed { print("gone: \(key)") }
    }
    // snippet.end
}

func observeInstances(db: Database) async throws {
    // snippet.kept-instances
    for try await results in db.query(Project.self).observe(keepingInstances: true) {
        print(results.objects.count)  // the same instance as before, for a project with which nothing has happened
    }
    // snippet.end
}

func observeCount(db: Database) async throws {
    // snippet.values
    for try await count in db.query(Project.self).observe({ try await $0.count() }) { print(count) }
    // snippet.end
}

func observeOtherProcesses(db: Database) async throws {
    // snippet.interval
    for try await results in db.query(Project.self).observe(interval: .seconds(1)) { print(results.objects.count) }
    // snippet.end
}

func listenToType(db: Database) async throws {
    // snippet.events
    for try await event in db.events(of: Project.self) {
        switch event.kind {
        case .inserted, .updated, .saved: print("changed:", event.key as Any, event.properties)
        case .deleted: print("gone:", event.key as Any)
        case .fetched: break  // only with `includingFetches: true`
        case .reload, .overflowed: print("load all projects again")
        }
    }
    // snippet.end
}

func listenToObject(db: Database, project: Project) async throws {
    // snippet.events-of-one-object
    for try await event in try db.events(for: project) where event.instance != ObjectIdentifier(project) {
        try await db.reload(project)
    }
    // snippet.end
}

func limitProjects(db: Database) async throws {
    // snippet.before-commit
    let commitGuard = db.beforeCommit(of: Project.self) { events, tx in
        print(events.count)
        guard try await tx.query(Project.self).count() <= 1_000 else {
            throw DatabaseError(.conflict, "There are too many projects.")
        }
    }
    defer { commitGuard.end() }
    // snippet.end
    try await db.save(Project(name: "Apollo"))
}

func showLongList(db: Database) async throws {
    // snippet.long-lists
    let results = try await db.query(Project.self).order(\.name).liveResults(batch: 50)
    let project = try await results.object(at: 5_000)
    while let difference = try await results.nextChange() {
        print(results.count, difference.inserted.count, difference.removed.count)
    }
    // snippet.end
    _ = project
}

func listenForJobs(db: Database) async throws {
    // snippet.notifications
    try await db.notify("jobs", "42")
    for try await notification in try await db.notifications(on: "jobs") {
        switch notification {
        case .received(_, let payload): print(payload)
        case .mayHaveMissed: print("look at all jobs")
        }
    }
    // snippet.end
}

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}
