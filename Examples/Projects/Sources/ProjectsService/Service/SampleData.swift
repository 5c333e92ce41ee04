import Foundation
import Holdfast

/// What an empty database may begin with, so that there is something to look at.
enum SampleData {
    static func add(to db: Database) async throws {
        do {
            try await db.transaction { tx in
                guard try await tx.count(Person.self) == 0 else { return }
                try await tx.save(projects())
                try await tx.save(meetings(of: tx.fetch(Project.self)))
            }
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            // Another instance has begun at the same moment, and has added it.
        }
    }

    private static func projects() -> [Project] {
        let people = [
            "Ada Lovelace", "Grace Hopper", "Katherine Johnson", "Margaret Hamilton", "Mary Jackson", "Radia Perlman",
            "Barbara Liskov", "Frances Allen", "Karen Spärck Jones", "Annie Easley",
        ].map { name in
            Person(name: name, email: name.lowercased().replacing(" ", with: ".") + "@example.org")
        }
        let names: [(code: String, name: String, status: ProjectStatus, days: Int?)] = [
            ("APL", "Apollo guidance", .done, -40), ("ENG", "Analytical engine", .paused, nil),
            ("CMP", "A compiler in plain English", .running, 21), ("SPN", "Spanning trees", .running, 9),
            ("LSP", "Substitution principles", .planned, 60), ("ORB", "Orbits by hand", .done, -90),
            ("IDX", "Weights for rare words", .running, 3), ("OPT", "Loops that cost nothing", .planned, 120),
            ("WND", "Wind tunnel, second run", .running, -2), ("FUL", "Fuel for Centaur", .planned, 45),
        ]
        let today = (Date.now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        return names.enumerated().map { index, sample in
            let project = Project(code: sample.code, name: sample.name)
            project.status = sample.status
            project.dueOn = sample.days.map { Date(timeIntervalSince1970: today + Double($0) * 86_400) }
            project.lead = people[index]
            project.members = [people[(index + 1) % 10], people[(index + 4) % 10]].sorted { $0.name < $1.name }
            return project
        }
    }

    private static func meetings(of projects: [Project]) -> [Meeting] {
        let today = (Date.now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        return projects.enumerated().map { index, project in
            let start = today + Double(index - 3) * 86_400 + Double(8 + index % 8) * 3_600
            return Meeting(
                title: index % 2 == 0 ? "Review" : "Planning", startsAt: Date(timeIntervalSince1970: start),
                project: project)
        }
    }
}
