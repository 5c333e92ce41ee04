import Holdfast

extension ConformanceCase {
    static let graphHierarchies: [ConformanceCase] = [
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
