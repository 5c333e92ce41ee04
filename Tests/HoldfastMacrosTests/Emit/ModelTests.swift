import Foundation
import Testing

@testable import Holdfast

/// What the macro writes, at work: encoding, decoding and assigning.
@Suite struct ModelTests {
    @Test func `every property of a class survives a row`() throws {
        let project = Project(name: "Ada 🚀")
        project.id = 7
        project.code = "c"
        project.startDate = Date(timeIntervalSince1970: 1_000_000.5)
        project.budget = 12.5
        project.status = .done
        project.tags = ["b", "a", "b"]
        project.scores = []
        project.address = Address(street: "Strand", lines: [1, 2])
        project.count = -3
        project.owner = "me"
        project.at = Date(timeIntervalSince1970: 2_000_000)
        project.price = 9.99
        project.draft = "lost"

        let copy = try roundTrip(project)
        #expect(copy.id == 7)
        #expect(copy.name == "Ada 🚀")
        #expect(copy.code == "c")
        #expect(copy.startDate == project.startDate)
        #expect(copy.budget == 12.5)
        #expect(copy.status == .done)
        #expect(copy.tags == ["b", "a", "b"])
        #expect(copy.scores == [])
        #expect(copy.address == project.address)
        #expect(copy.count == -3)
        #expect(copy.owner == "me")
        #expect(copy.at == project.at)
        #expect(copy.price == 9.99)
        #expect(copy.createdAt == nil)
    }

    @Test func `a transient property gets its default when its object is loaded`() throws {
        let project = Project(name: "x")
        project.draft = "lost"
        project.cache["a"] = 1
        let copy = try roundTrip(project)
        #expect(copy.draft == "")
        #expect(copy.cache.isEmpty)
    }

    @Test func `nil survives a row`() throws {
        let copy = try roundTrip(Project(name: "x"))
        #expect(copy.id == nil)
        #expect(copy.scores == nil)
        #expect(copy.address == nil)
        #expect(copy.startDate == nil)
    }

    @Test func `a struct survives a row, and keeps its memberwise initializer`() throws {
        let point = Point(id: UUID(), x: 1.5, y: nil, label: "lost")
        let copy = try roundTrip(point)
        #expect(copy == Point(id: point.id, x: 1.5))
    }

    @Test func `a composite key is in the order of declaration`() throws {
        let description = Membership.tableMapping.description
        #expect(description.keyIndices == [0, 1])
        let membership = Membership(team: 3, member: "ö", since: Date(timeIntervalSince1970: 0))
        #expect(try roundTrip(membership) == membership)
    }

    @Test func `what is declared reaches the mapping`() throws {
        let description = Project.tableMapping.description
        #expect(description.type == "Project")
        #expect(description.table == "projects")
        #expect(description.hasGeneratedKey)
        #expect(description.indexes == [.index("name", "startDate"), .unique("code", "status")])
        #expect(
            description.properties.map(\.name) == [
                "id", "name", "code", "startDate", "budget", "status", "tags", "scores", "address", "count", "owner",
                "at", "price", "createdAt", "modifiedAt",
            ]
        )
        func property(_ name: String) throws -> PropertyMapping {
            description.properties[try #require(description.index(ofProperty: name))]
        }
        #expect(try property("code").isUnique)
        #expect(try property("startDate").isIndexed)
        #expect(try property("startDate").columnName == "start_date")
        #expect(try property("owner").isRequired)
        #expect(try property("at").columnName == "legacy_at")
        #expect(try property("at").storage == .secondsSince2001)
        #expect(try property("price").storage == .scaled(2))
        #expect(try property("createdAt").timestamp == .created)
        #expect(try property("modifiedAt").timestamp == .modified)
        #expect(try property("budget").defaultValue != nil)
        #expect(try property("status").defaultValue != nil)
        #expect(try property("owner").defaultValue == nil)
    }

    @Test func `a row that holds some properties assigns those, and no others`() throws {
        let description = Project.tableMapping.description
        let source = Project(name: "source")
        source.count = 5
        source.tags = ["t"]
        var target = Project(name: "target")
        target.tags = ["kept"]
        let mask = PropertyMask([try #require(description.index(ofProperty: "count"))])
        try withRow(of: source, mask: mask) { try Project.tableMapping.assign(&target, $0) }
        #expect(target.count == 5)
        #expect(target.name == "target")
        #expect(target.tags == ["kept"])
    }

    @Test func `a let is decoded, and never assigned`() throws {
        let copy = try roundTrip(Coded(code: "k", serial: 9))
        #expect(copy.code == "k")
        #expect(copy.serial == 9)
        var target = Coded(code: "other", serial: 1)
        let source = Coded(code: "k", serial: 9)
        source.text = "t"
        try withRow(of: source) { try Coded.tableMapping.assign(&target, $0) }
        #expect(target.code == "other")
        #expect(target.text == "t")
        #expect(try roundTrip(Constant(id: 1, text: "c")).text == "c")
    }

    @Test func `a class whose properties have defaults keeps its init`() throws {
        let counter = Counter()
        counter.value = 2
        #expect(try roundTrip(counter).value == 2)
    }

    @Test func `nested types are named by themselves`() throws {
        #expect(Namespace.Thing.tableMapping.description.type == "Thing")
        #expect(try roundTrip(Namespace.Thing()).name == "thing")
        #expect(try roundTrip(Namespace.Thing.Part(id: 4)).id == 4)
    }

    @Test func `more than 64 properties`() throws {
        let wide = Wide()
        wide.p64 = -64
        wide.p69 = -69
        let copy = try roundTrip(wide)
        #expect(copy.p64 == -64)
        #expect(copy.p69 == -69)
        #expect(wide._$changes.dirty.contains(69))
        #expect(!wide._$changes.dirty.contains(68))
    }
}
