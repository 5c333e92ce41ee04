import Foundation
import Testing

@testable import Holdfast

@Table
final class CodableModel: Codable {
    var id: Int64?
    var name: String
    @Transient var draft = "d"
    init(name: String) { self.name = name }
}

@Table
final class HashableModel: Hashable {
    let id: Int64
    var name: String

    init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }

    static func == (left: HashableModel, right: HashableModel) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

@Suite struct ConformanceTests {
    @Test func `synthesized Codable of a class neither writes nor reads the tracker`() throws {
        let model = CodableModel(name: "n")
        model.name = "m"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(model), as: UTF8.self) == #"{"draft":"d","name":"m"}"#)
        let decoded = try JSONDecoder().decode(CodableModel.self, from: Data(#"{"id":1,"name":"x","draft":""}"#.utf8))
        #expect(decoded.id == 1)
        #expect(decoded._$changes.dirty.isEmpty)
    }

    @Test func `structs have synthesized equality and Codable, without anything hidden`() throws {
        let point = Point(id: UUID(), x: 1)
        let data = try JSONEncoder().encode(point)
        #expect(try JSONDecoder().decode(Point.self, from: data) == point)
        #expect(Set([point, point]).count == 1)
        #expect(MemoryLayout<Membership>.size == MemoryLayout<(Int64, String, Date)>.size)
    }

    @Test func `a class has the equality that it declares`() throws {
        let model = HashableModel(id: 1, name: "a")
        #expect(try roundTrip(model) == model)
        #expect(Set([model, HashableModel(id: 1, name: "b")]).count == 1)
    }

    @Test func `a hook in the body makes the type one with hooks`() {
        let hooked: [any TableObject.Type] = [Hooked.self, HookedStruct.self, Stated.self, HookedElsewhere.self]
        #expect(hooked.allSatisfy { $0 is any TableHooks.Type })
        let plain: [any TableObject.Type] = [NotHooked.self, Point.self, Project.self]
        #expect(!plain.contains { $0 is any TableHooks.Type })
    }

    @Test func `the hook of the body is the one that is called`() throws {
        var hooked = HookedStruct()
        func save(_ model: inout some TableHooks) throws { try model.willSave() }
        try save(&hooked)
        #expect(hooked.email == "a")
        var object = Hooked()
        try save(&object)
        #expect(object.email == "a")
    }
}
