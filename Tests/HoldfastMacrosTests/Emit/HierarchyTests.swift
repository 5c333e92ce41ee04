import Foundation
import HoldfastSQLite
import OtherModule
import Testing

@testable import Holdfast

/// What the classes of a hierarchy do.
@Suite struct HierarchyTests {
    // MARK: Mappings

    @Test func `a table holds the inherited columns first`() throws {
        let animal = Animal.ownMapping.description
        #expect(animal.table == "animal")
        #expect(animal.properties.map(\.name) == ["id", "name", "modifiedAt", "secret"])
        let mammal = Mammal.ownMapping.description
        #expect(mammal.type == "Mammal")
        #expect(mammal.table == "mammal")
        #expect(mammal.properties.map(\.name) == animal.properties.map(\.name) + ["legs", "tag", "colors", "parent"])
        let whale = Whale.ownMapping.description
        #expect(
            whale.properties.map(\.name) == mammal.properties.map(\.name) + ["species", "maxDepth", "calves"])
        for description in [animal, mammal, whale] { try description.validate() }
    }

    @Test func `names and indexes are those of each class`() {
        let whale = Whale.ownMapping.description
        #expect(whale.table == "whales")
        #expect(whale.properties.first { $0.name == "modifiedAt" }?.columnName == "modifiedAt")
        #expect(whale.properties.first { $0.name == "maxDepth" }?.columnName == "maxDepth")
        #expect(whale.indexes == [.index("name", "maxDepth"), .unique("tag")])
        #expect(Mammal.ownMapping.description.indexes == [])
        #expect(Animal.ownMapping.description.properties.first { $0.name == "modifiedAt" }?.columnName == "modified_at")
    }

    @Test func `what is declared of a property is inherited, the key as well`() throws {
        let whale = Whale.ownMapping.description
        #expect(whale.keyIndices == [0])
        #expect(whale.hasGeneratedKey)
        #expect(whale.timestampIndices == [2])
        #expect(whale.properties.first { $0.name == "tag" }?.isUnique == true)
        #expect(whale.properties.first { $0.name == "legs" }?.defaultValue != nil)
        let plainer = Plainer.ownMapping.description
        #expect(plainer.keyIndices == [0])
        #expect(plainer.properties.map(\.name) == ["code", "id"])
    }

    @Test func `key paths of a subclass find inherited properties`() {
        func keyPath(_ name: String, of description: TableDescription) -> AnyKeyPath? {
            description.properties.first { $0.name == name }?.keyPath
        }
        #expect(keyPath("name", of: Animal.ownMapping.description) == \Animal.name)
        #expect(keyPath("id", of: Mammal.ownMapping.description) == \Mammal.id)
        #expect(keyPath("legs", of: Mammal.ownMapping.description) == \Mammal.legs)
        #expect(keyPath("modifiedAt", of: Whale.ownMapping.description) == \Whale.modifiedAt)
        #expect(keyPath("legs", of: Whale.ownMapping.description) == \Whale.legs)
        #expect(keyPath("maxDepth", of: Whale.ownMapping.description) == \Whale.maxDepth)
        #expect(keyPath("species", of: Whale.ownMapping.description) == \Whale.species)
        #expect(keyPath("name", of: Taxi.ownMapping.description) == \Taxi.name)
        #expect(keyPath("name", of: Whale.ownMapping.description) != \Mammal.name)
    }

    @Test func `a relation leads to exactly its class`() throws {
        let calf = Calf.tableMapping.description
        #expect(calf.properties[1].shape.target?.type == Whale.self)
        let whale = Whale.ownMapping.description
        #expect(whale.properties.first { $0.name == "parent" }?.shape.target?.type == Mammal.self)
        #expect(whale.properties.first { $0.name == "calves" }?.shape.target?.type == Calf.self)
    }

    @Test func `a class without a mapping has none, and is passed over by one below`() throws {
        #expect(throws: DatabaseError.self) { try Unmapped.ownMapping.description.validate() }
        #expect(Mapped.ownMapping.description.properties.map(\.name) == ["code", "kept"])
    }

    // MARK: Objects

    @Test func `every property of a subclass survives a row`() throws {
        let whale = Whale(species: "blue", maxDepth: 500)
        whale.id = 3
        whale.count()
        whale.legs = 0
        whale.tag = "t"
        whale.colors = ["gray", "blue"]
        whale.isAwake = false
        let copy = try roundTrip(whale)
        #expect(copy.id == 3)
        #expect(copy.name == "whale")
        #expect(copy.counted == 1)
        #expect(copy.legs == 0)
        #expect(copy.tag == "t")
        #expect(copy.colors == ["gray", "blue"])
        #expect(copy.isAwake)
        #expect(copy.species == "blue")
        #expect(copy.maxDepth == 500)
        #expect(!copy._$changes.dirty.contains(0))
        #expect(copy._$changes.dirty.isEmpty)
        #expect(copy.log.isEmpty)
    }

    @Test func `a class that inherits its initializers survives a row`() throws {
        let mammal = Mammal(name: "cat")
        mammal.colors = ["black"]
        mammal.legs = 3
        let copy = try roundTrip(mammal)
        #expect(copy.name == "cat")
        #expect(copy.legs == 3)
        #expect(copy.colors == ["black"])
        #expect(copy._$changes.dirty.isEmpty)
        #expect(try roundTrip(Mammal()).name == "animal")
        #expect(try roundTrip(Animal.Bird(name: "owl")).class == "aves")
    }

    @Test func `a class without an initializer keeps its init, and so does its subclass`() throws {
        #expect(try roundTrip(Plain()).code == "c")
        #expect(try roundTrip(Plainer()).id == 5)
        #expect(try roundTrip(Plainer(id: 7)).id == 7)
        let mapped = Mapped()
        mapped.forgotten = 3
        mapped.kept = 3
        let copy = try roundTrip(mapped)
        #expect(copy.kept == 3)
        #expect(copy.forgotten == 1)
    }

    @Test func `a row that holds some properties assigns those, and no others`() throws {
        let source = Whale(species: "blue", maxDepth: 500)
        source.name = "source"
        source.legs = 9
        var target = Whale(species: "sperm", maxDepth: 1)
        target.tag = "kept"
        try withRow(of: source, mask: PropertyMask([1, 9])) { try Whale.ownMapping.assign(&target, $0) }
        #expect(target.name == "source")
        #expect(target.maxDepth == 500)
        #expect(target.legs == 4)
        #expect(target.tag == "kept")
        #expect(target.species == "sperm")
    }

    @Test func `setting a property marks it at its place among all`() {
        let whale = Whale(species: "blue", maxDepth: 500)
        whale._$changes = ChangeTracker()
        whale.legs = 0
        #expect(whale._$changes.dirty.indices == [4])
        whale.maxDepth = 1
        whale.parent = whale
        whale.name = "moby"
        #expect(whale._$changes.dirty.indices == [1, 4, 7, 9])
        #expect(whale.log == ["depth", "name"])
        #expect(whale.isDirty)
        whale.makeDirty()
        #expect(whale._$changes.dirty.indices == Array(1...10))
    }

    @Test func `an object of a subclass that is taken for one of its superclass has the properties of that`() throws {
        let whale: Mammal = Whale(species: "blue", maxDepth: 500)
        whale.tag = "t"
        let copy = try roundTrip(whale)
        #expect(type(of: copy) == Mammal.self)
        #expect(copy.tag == "t")
    }

    @Test func `a weak property doesn't hold its object`() throws {
        let child = Mammal(name: "child")
        var parent: Mammal? = Mammal(name: "parent")
        child.parent = parent
        #expect(child._$changes.dirty.contains(7))
        parent = nil
        #expect(child.parent == nil)
    }

    @Test func `synthesized coding goes on`() throws {
        let letter = try JSONDecoder().decode(Letter.self, from: Data(#"{"id":1,"title":"t","address":"x"}"#.utf8))
        #expect(letter.title == "t")
        #expect(letter.address == "")
        #expect(try roundTrip(letter).title == "t")
    }

    // MARK: Hooks

    @Test func `a class has hooks if it or a superclass declares one`() {
        #expect(HookSet<Animal>.ofModel() == nil)
        #expect(HookSet<Animal.Bird>.ofModel() == nil)
        #expect(HookSet<Mammal>.ofModel() != nil)
        #expect(HookSet<Whale>.ofModel() != nil)
        #expect(HookSet<Taxi>.ofModel() != nil)
        #expect(HookSet<Shape>.ofModel() == nil)
        #expect(HookSet<Circle>.ofModel() != nil)
    }

    @Test func `the hook of the subclass is the one that is called`() throws {
        var whale = Whale(species: "blue", maxDepth: 500)
        try HookSet<Whale>.ofModel()?.willSave(&whale)
        #expect(whale.log == ["mammal", "whale"])
        let circle = Circle(radius: 1)
        HookSet<Circle>.ofModel()?.afterCommit(circle)
        #expect(circle.radius == 2)
    }

    // MARK: Other modules

    @Test func `classes of another module can be extended`() throws {
        let taxi = Taxi(fare: 2.5)
        taxi.doors = 5
        taxi.hit(3)
        var hooked = taxi
        try HookSet<Taxi>.ofModel()?.willSave(&hooked)
        #expect(
            Taxi.ownMapping.description.properties.map(\.name) == ["id", "name", "saves", "doors", "dents", "fare"])
        let copy = try roundTrip(taxi)
        #expect(copy.name == "taxi")
        #expect(copy.doors == 5)
        #expect(copy.damage == 3)
        #expect(copy.saveCount == 1)
        #expect(copy.fare == 2.5)
        taxi._$changes = ChangeTracker()
        taxi.doors = 2
        taxi.fare = 3
        #expect(taxi._$changes.dirty.indices == [3, 5])
        #expect(try roundTrip(Bicycle(name: "b")).gears == 1)
        #expect(try roundTrip(Car(name: "c")).doors == 4)
        #expect(try roundTrip(Circle(radius: 4)).radius == 4)
    }

    // MARK: Databases

    @Test func `each class has its own table`() async throws {
        let database = try await Database.open(.sqlite(.inMemory))
        try await database.migrate(Vehicle.self, Car.self, Taxi.self)
        let taxi = Taxi(fare: 2.5)
        taxi.hit(3)
        try await database.save(taxi)
        try await database.save(Car(name: "car"))
        let vehicle = Vehicle(name: "vehicle")
        try await database.save(vehicle)
        #expect(!taxi.isDirty)
        #expect(taxi.saveCount == 1)

        #expect(try await database.fetch(Vehicle.self).map(\.name) == ["vehicle"])
        #expect(try await database.fetch(Car.self).map(\.name) == ["car"])
        let key = try #require(taxi.id)
        let found = try #require(try await database.find(Taxi.self, key: key))
        #expect(found.name == "taxi")
        #expect(found.damage == 3)
        #expect(found.fare == 2.5)
        #expect(!found.isDirty)

        found.name = "cab"
        found.fare = 3
        try await database.save(found)
        try await database.reload(taxi)
        #expect(taxi.name == "cab")
        #expect(taxi.fare == 3)
        try await database.delete(taxi)
        #expect(try await database.fetch(Taxi.self).isEmpty)
        #expect(try await database.fetch(Vehicle.self).count == 1)
        try await database.close()
    }
}
