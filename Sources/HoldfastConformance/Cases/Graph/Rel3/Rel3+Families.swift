import Foundation
import Holdfast

/// What people keep in graphs, in the words in which they think of it, and hierarchies.
extension ConformanceCase {
    static let rel3Families: [ConformanceCase] = [
        graph("rel-3.children-of-parents", "REL-3", "Children are saved with their parent, know it, and go with it") {
            environment in
            let db = try await environment.open(Branch.self)
            let grandmother = Branch("grandmother")
            let mother = Branch("mother")
            grandmother.branches = [mother, Branch("aunt")]
            mother.branches = [Branch("son"), Branch("daughter")]
            try await db.save(grandmother)
            let son = try expect(some: try await db.fetch(Branch.self).first { $0.label == "son" }, "the son")
            let everybody = try await db.fetch(Branch.self)
            let parents = everybody.map { "\($0.label) of \($0.parent?.label ?? "nobody")" }.sorted()
            try expect(
                parents,
                equals: [
                    "aunt of grandmother", "daughter of mother", "grandmother of nobody", "mother of grandmother",
                    "son of mother",
                ], "the children with their parents")
            mother.branches.removeAll { $0.label == "daughter" }
            try await db.save(mother)
            try expect(
                try await db.number("SELECT count(*) FROM branch WHERE parent_id IS NULL"), equals: 2,
                "those of no parents")
            try await db.delete(grandmother)
            try expect(try await db.texts("SELECT label FROM branch"), equals: ["daughter"], "who left home in time")
            try await expect(.notFound, from: "reloading a child that went with its parents") {
                try await db.reload(son)
            }
        },
        graph("rel-3.spouses", "REL-3", "Spouses lead to each other, and a divorce is saved from either side") {
            environment in
            let db = try await environment.open(Employee.self)
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            ann.spouse = bob
            bob.spouse = ann
            try await db.save(bob)
            let loaded = try expect(some: try await db.find(Employee.self, key: ann.id ?? 0), "Ann")
            try expect(loaded.spouse?.name == "Bob" && loaded.spouse?.spouse === loaded, "Ann is not married to Bob.")
            loaded.spouse?.spouse = nil
            let bobs = loaded.spouse
            loaded.spouse = nil
            try await db.save([loaded, bobs].compactMap(\.self))
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE spouse_id IS NOT NULL"), equals: 0,
                "the married")
            (ann.spouse, bob.spouse) = (nil, nil)
        },
        graph(
            "rel-3.meetings-with-participants", "REL-3",
            "Meetings keep their participants in order, also those who come twice"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            let project = Venture("Apollo")
            let (kickoff, review) = (Gathering("Kickoff"), Gathering("Review"))
            kickoff.participants = [cleo, ann, bob]
            review.participants = [ann, cleo, ann]
            project.gatherings = [kickoff, review]
            try await db.save(project)
            kickoff.participants.insert(kickoff.participants.remove(at: 2), at: 0)
            project.gatherings.reverse()
            kickoff.minutes = 45
            try await db.save(project)
            let same = try expect(some: try await db.find(Venture.self, key: project.id ?? 0), "the project")
            let minutes = same.gatherings.map {
                "\($0.topic) \($0.minutes): \($0.participants.map(\.name).joined(separator: " "))"
            }
            try expect(minutes, equals: ["Review 30: Ann Cleo Ann", "Kickoff 45: Bob Cleo Ann"], "the meetings")
            try await db.delete(ann)
            try await db.reload(same)
            try expect(
                same.gatherings.map { $0.participants.map(\.name) }, equals: [["Cleo"], ["Bob", "Cleo"]],
                "the participants")
            try await db.delete(same)
            try expect(try await db.count(Gathering.self), equals: 2, "the number of meetings, which stay")
            try expect(try await db.count(Employee.self), equals: 2, "the number of participants, who stay")
        },
        graph(
            "rel-3.employers-and-siblings", "REL-3", "People have an employer in common, and siblings who have siblings"
        ) {
            environment in
            let db = try await environment.open(Employee.self)
            let acme = Company("Acme")
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            for person in [ann, bob, cleo] { person.company = acme }
            ann.siblings = [bob, cleo]
            bob.siblings = [ann, cleo]
            cleo.siblings = [bob, ann]
            try await db.save(cleo)
            try expect(try await db.count(Company.self), equals: 1, "the number of companies")
            let loaded = try expect(some: try await db.find(Employee.self, key: bob.id ?? 0), "Bob")
            try expect(loaded.siblings.map(\.name), equals: ["Ann", "Cleo"], "Bob's siblings")
            try expect(loaded.siblings[0].siblings.first === loaded, "Bob's sister has another brother.")
            try expect(
                loaded.siblings.allSatisfy { $0.company === loaded.company }, "An employer came as two instances.")
            try expect(loaded.company?.staff.count, equals: 3, "the number of colleagues")
            loaded.company?.name = "Acme & Co."
            try await db.save(loaded)
            try expect(try await db.texts("SELECT name FROM company"), equals: ["Acme & Co."], "the employer's name")
            try await db.delete(acme)
            try expect(try await db.fetch(Employee.self).allSatisfy { $0.company == nil }, "Someone works for nobody.")
            for person in [ann, bob, cleo, loaded] + loaded.siblings { (person.siblings, person.company) = ([], nil) }
        },
        graph(
            "rel-3.hierarchy", "REL-3",
            "An object of a hierarchy is kept with what it inherits, in the table of its own class"
        ) {
            environment in
            let db = try await environment.open(Animal.self, Mammal.self, Whale.self)
            let whale = Whale("Moby")
            whale.legs = 0
            whale.depth = 1.25
            whale.keeper = Employee("Ann")
            whale.friends = [Animal("Gull"), Animal("Crab")]
            whale.pod = [whale, Whale("Dick")]
            try await db.save(whale)
            try expect(try await db.count(Whale.self), equals: 2, "the number of whales")
            try expect(try await db.count(Mammal.self), equals: 0, "the number of mammals that are no more than that")
            let names = try await db.fetch(Animal.self).map(\.name)
            try expect(names, equals: ["Gull", "Crab"], "the animals that are no more than that")
            let same = try expect(some: try await db.find(Whale.self, key: whale.id ?? 0), "the whale")
            try expect(same.name == "Moby" && same.legs == 0 && same.depth == 1.25, "The whale came back otherwise.")
            try expect(same.keeper?.name, equals: "Ann", "the keeper")
            try expect(same.friends.map(\.name), equals: ["Gull", "Crab"], "the friends")
            try expect(same.pod.count == 2 && same.pod[0] === same, "The pod came back otherwise.")
            try expect(!same.isDirty, "A fetched object is dirty.")
            same.legs = 1
            same.friends.removeFirst()
            same.pod.swapAt(0, 1)
            try await db.save(same)
            let rows = try await db.sql("SELECT name, legs, depth FROM whale WHERE id = \(same.id)")
                .fetch(as: (String, Int, Double).self)
            try expect(rows.count == 1 && rows[0] == ("Moby", 1, 1.25), "The row was changed otherwise.")
            let friends = try await db.sql(
                "SELECT a.name FROM whale_friends AS f JOIN animal AS a ON a.id = f.animal_id ORDER BY f.position"
            ).fetch(as: String.self)
            try expect(friends, equals: ["Crab"], "the friends in the database")
        },
        graph("rel-3.hierarchy-roots", "REL-3", "Objects that are given as their superclass go to their own tables") {
            environment in
            let db = try await environment.open(Animal.self, Mammal.self, Whale.self)
            let animals = [Animal("Gull"), Mammal("Cow"), Whale("Moby")]
            try await db.save(animals)
            try expect(animals.allSatisfy { $0.id != nil && !$0.isDirty }, "An object was not saved.")
            try expect(try await db.count(Animal.self), equals: 1, "the number of animals")
            try expect(try await db.count(Mammal.self), equals: 1, "the number of mammals")
            try expect(try await db.count(Whale.self), equals: 1, "the number of whales")
            try expect(try await db.delete(animals), equals: 3, "the number of deleted objects")
            try expect(try await db.count(Whale.self), equals: 0, "the number of whales")
        },
        graph("rel-3.hierarchy-exact", "REL-3", "A relation holds objects of exactly its declared class") {
            environment in
            let db = try await environment.open(Animal.self, Mammal.self, Whale.self)
            let gull = Animal("Gull")
            gull.friends = [Whale("Moby")]
            try await expect(.conflict, from: "saving a relation to a subclass") { try await db.save(gull) }
            try expect(gull.id == nil && gull.isDirty, "The object is not as before.")
            gull.friends = []
            let cow = Mammal("Cow")
            gull.parent = cow
            try await expect(.conflict, from: "saving a reference to a subclass") { try await db.save(gull) }
            try expect(try await db.count(Animal.self), equals: 0, "the number of animals")
        },
    ]
}
