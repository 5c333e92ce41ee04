@_spi(Driver) import Holdfast

/// Links that are objects of a type of their own.
extension ConformanceCase {
    static let rel9Types: [ConformanceCase] = [
        graph(
            "rel-9.types-loaded", "REL-9",
            "An array goes through a type whose objects link two others, and loads as any other"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Club.Team.self, Club.Person.self) { probe.attach(to: &$0) }
            let (teams, people) = try await save(db)
            let first = try expect(some: try await db.find(Club.Team.self, key: teams[0].id ?? 0), "a team")
            try expect(!first.isLoaded(\.members), "An array that goes through a type is loaded on demand.")
            _ = probe.take()
            try await db.loadRelation(\.members, of: first)
            try expect(probe.take().filter { $0.contains("club_membership") }.count, equals: 1, "the statements")
            try expect(first.members.map(\.name), equals: ["Ann", "Bob", "Bob"], "one person for each link, by key")
            try expect(first.members[1] === first.members[2], "A row is one object.")
            let all = try await db.query(Club.Team.self).order(\.id).including(["members", "memberships"]).fetch()
            try expect(
                all.map { $0.members.map(\.name) }, equals: [["Ann", "Bob", "Bob"], ["Ann"], []], "all of them")
            try expect(all[1].memberships.map { $0.person?.name }, equals: ["Ann"], "the links beside them")
            try expect(all[1].members[0] === all[1].memberships[0].person, "Both lead to one object.")
            let ann = try expect(
                some: try await db.find(Club.Person.self, key: people[0].id ?? 0, including: ["teams"]), "a person")
            try expect(ann.teams.map(\.name), equals: ["a", "b"], "the other side")
            let part = try await db.query(Club.Team.self).order(\.id)
                .including(\.members) { $0.where { $0.age > 30 }.order { $0.name.descending }.limit(1) }.fetch()
            try expect(part.map { $0.members.map(\.name) }, equals: [["Bob"], [], []], "a part of each")
            try expect(ann.followed.isEmpty && ann.isLoaded(\.followed), "One that is eager is loaded.")
            release(teams + [first] + all + part, people + [ann])
        },
        graph("rel-9.types-asked", "REL-9", "Queries ask for what an array leads to that goes through a type") {
            environment in
            let db = try await environment.open(Club.Team.self, Club.Person.self)
            let (teams, people) = try await save(db)
            let all = db.query(Club.Team.self).order(\.id)
            func names(_ query: Query<Club.Team>) async throws -> [String] { try await query.select(\.name).fetch() }
            try expect(
                try await names(all.where { $0.members.contains { $0.name == "Bob" } }), equals: ["a"], "who has one")
            try expect(try await names(all.where { $0.members.isEmpty }), equals: ["c"], "who has none")
            try expect(
                try await names(all.where { $0.members.contains(people[0]) }), equals: ["a", "b"], "who has this one")
            try expect(
                try await names(all.where("members.name = 'Bob'")), equals: ["a"], "the same in text")
            try expect(
                try await all.select { $0.members.count }.fetch(), equals: [3, 1, 0], "the numbers of links")
            try expect(
                try await all.select { $0.members.sum { $0.age } }.fetch(), equals: [20 + 40 + 40, 20, 0], "sums")
            try expect(
                try await db.query(Club.Person.self).where { $0.teams.count == 0 }.select(\.name).fetch(),
                equals: ["Cid"], "the other side")
            try expect(
                try await db.query(Club.Person.self).where { $0.teams.contains { $0.members.count == 1 } }
                    .select(\.name).fetch(), equals: ["Ann"], "both sides")
            _ = try await db.insert([Club.Follow(from: try reference(people[0]), to: try reference(people[1]))])
            try expect(
                try await db.query(Club.Person.self).where { $0.followed.contains { $0.name == "Bob" } }
                    .select(\.name).fetch(), equals: ["Ann"], "links within one type")
            try expect(
                try await db.query(Club.Person.self).where { $0.followers.contains { $0.name == "Ann" } }
                    .select(\.name).fetch(), equals: ["Bob"], "links within one type, from the other side")
            release(teams, people)
        },
        graph("rel-9.types-linked", "REL-9", "Links of a type are made with its defaults, and undone") {
            environment in
            let db = try await environment.open(Club.Team.self, Club.Person.self)
            let (teams, people) = try await save(db)
            let (team, cid) = (teams[2], people[2])
            try expect(try await db.link(team, \.members, to: cid), equals: 1, "the new links")
            try expect(try await db.link(team, \.members, to: people), equals: 2, "those among three")
            try expect(
                !team.isLoaded(\.members) && !team.isLoaded(\.memberships) && !cid.isLoaded(\.teams),
                "The objects know nothing of it.")
            let count = try await db.link(teams[1], \.members, to: [people[0], cid], as: Club.Membership.self) {
                ($0.role, $0.note) = (.captain, "new")
            }
            try expect(count, equals: 1, "the new links with properties")
            let links = try await db.query(Club.Membership.self).where { $0.person.name == "Cid" }
                .order { $0.team.id.ascending }.fetch()
            try expect(links.map(\.role), equals: [.captain, .guest], "what was set, and a default")
            try expect(links.map(\.note), equals: ["new", nil], "what was set, and nil")
            try expect(links.allSatisfy { $0.since != nil && $0.version == links[0].version }, "They are as inserted.")
            let key = team.id ?? 0
            try expect(
                try await db.link(Club.Person.self, key: cid.id ?? 0, \.teams, toKeys: [key, teams[0].id ?? 0]),
                equals: 1, "a new link by keys, from the other side")
            try expect(try await db.unlink(teams[0], \.members, from: people), equals: 4, "links that were undone")
            try expect(
                try await db.unlink(Club.Team.self, key: key, \.members, fromKeys: [cid.id ?? 0, 99]), equals: 1,
                "one by keys")
            try expect(
                try await db.query(Club.Team.self).order(\.id).select { $0.members.count }.fetch(), equals: [0, 2, 2],
                "what is left")
            try expect(
                try await db.link(people[0], \.followed, to: [people[1], cid], as: Club.Follow.self) { $0.weight = 7 },
                equals: 2, "links that are structs")
            try expect(try await db.link(people[0], \.followed, to: cid), equals: 0, "one of them again")
            try expect(
                try await db.query(Club.Follow.self).select(\.weight).fetch(), equals: [7, 7], "what they were given")
            release(teams, people)
        },
        graph("rel-9.types-refused", "REL-9", "An array that goes through a type is read, and what can't be is refused")
        {
            environment in
            let db = try await environment.open(Club.Team.self, Club.Event.self)
            let (teams, people) = try await save(db)
            let team = try expect(
                some: try await db.find(Club.Team.self, key: teams[1].id ?? 0, including: ["members"]), "a team")
            team.name = "renamed"
            try await db.save(team)
            let cid = try expect(some: try await db.find(Club.Person.self, key: people[2].id ?? 0), "a person")
            team.members.append(cid)
            try await expect(.unsupported, from: "a save of an array that was changed") { try await db.save(team) }
            team.members.removeAll()
            try await expect(.unsupported, from: "a save of an array that was emptied") { try await db.save(team) }
            let first = try expect(
                some: try await db.find(Club.Team.self, key: teams[0].id ?? 0, including: ["members"]), "a team")
            let bob = first.members.firstIndex { $0.name == "Bob" }
            first.members.remove(at: try expect(some: bob, "one who is there twice"))
            try await expect(.unsupported, from: "one link less of two") { try await db.save(first) }
            first.members.removeAll()
            let new = Club.Team("new")
            new.members = [cid]
            try await expect(.unsupported, from: "an array of a new object") { try await db.save(new) }
            try expect(try await db.count(Club.Team.self), equals: 3, "the teams")
            try expect(try await db.count(Club.Membership.self), equals: 4, "the links")
            let event = Club.Event()
            try await db.save(event)
            try await expect(.invalidValue, from: "a link without a value that it needs") {
                try await db.link(event, \.sponsors, to: people[0])
            }
            try await expect(.invalidValue, from: "a link of another type") {
                try await db.link(event, \.sponsors, to: people[0], as: Club.Membership.self) { _ in }
            }
            try await expect(.notFound, from: "an element that is gone") {
                try await db.link(Club.Team.self, key: teams[0].id ?? 0, \.members, toKeys: [99])
            }
            struct Undo: Error {}
            do {
                try await db.transaction { tx in
                    try await tx.link(teams[2], \.members, to: people)
                    throw Undo()
                }
            } catch is Undo {}
            try expect(try await db.count(Club.Membership.self), equals: 4, "the links after a rollback")
            try await db.delete(teams[0])
            try expect(try await db.count(Club.Membership.self), equals: 1, "the links of a team that was deleted")
            release(teams + [team, new], people + [cid])
        },
        graph("rel-9.types-told", "REL-9", "Observers see links of a type, and many that link at once make each once") {
            environment in
            let db = try await environment.open(Club.Team.self, Club.Person.self)
            let (teams, people) = try await save(db)
            let (key, keys) = (teams[2].id ?? 0, people.compactMap(\.id))
            var counts = db.query(Club.Team.self).where { $0.members.count > 2 }.observe().makeAsyncIterator()
            try expect(try await counts.next()?.objects.map(\.name), equals: ["a"], "the teams with many members")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try await db.link(Club.Team.self, key: key, \.members, toKeys: [keys[task % 3]])
                    }
                }
                var count = 0
                for try await new in group { count += new }
                try expect(count, equals: 3, "the new links of all")
            }
            try expect(
                try await counts.next()?.objects.map(\.name), equals: ["a", "c"], "the teams with many members, later")
            release(teams, people)
        },
    ]

    /// Three teams and three people; the second person is in the first team twice.
    private static func save(_ db: Database) async throws -> ([Club.Team], [Club.Person]) {
        let teams = ["a", "b", "c"].map { Club.Team($0) }
        let people = [Club.Person("Ann", age: 20), Club.Person("Bob", age: 40), Club.Person("Cid")]
        try await db.save(teams)
        try await db.save(people)
        try await db.insert([
            Club.Membership(teams[0], people[1], .player), Club.Membership(teams[0], people[0], .captain),
            Club.Membership(teams[0], people[1], .guest), Club.Membership(teams[1], people[0], .player),
        ])
        return (teams, people)
    }

    private static func reference(_ person: Club.Person) throws -> Reference<Club.Person> {
        Reference(key: try expect(some: person.id, "a key"))
    }

    private static func release(_ teams: [Club.Team], _ people: [Club.Person]) {
        for team in teams {
            for person in team.members { person.teams = [] }
            (team.memberships, team.members) = ([], [])
        }
        for person in people { (person.teams, person.followed, person.followers) = ([], [], []) }
    }
}
