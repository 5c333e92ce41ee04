import Foundation
import Testing

@testable import Holdfast

@Suite struct PropertyRoleTests {
    /// What becomes of the model with one property of a type that two roles suit: an instant that is an integer.
    private func mapping(isKey: Bool = false, _ options: PropertyOption...) -> TableDescription {
        TableMapping<Moment>(
            type: "Moment",
            describe: { table in
                if isKey {
                    options.withOptions { table.key("at", \.at, .storage(.seconds), $0, $1) }
                } else {
                    table.key("id", \.id)
                    options.withOptions { table.property("at", \.at, .storage(.seconds), $0, $1) }
                }
            },
            decode: { Moment(id: try $0.decode(at: 0), at: try $0.decode(at: 1)) }
        ).description
    }

    @Test func `roles that exclude each other are a problem`() {
        #expect(
            mapping(isKey: true, .timestamp(.created)).problems.map(\.message)
                == ["\"at\" of Moment is a key, which never changes, so it is no timestamp."])
        #expect(mapping(isKey: true, .expires).problems.count == 1)
        #expect(mapping(isKey: true, .generated(true)).problems.count == 1)
        #expect(mapping(isKey: true, .version).problems.count == 1)
        #expect(mapping(.timestamp(.modified), .expires).problems.count == 1)
        #expect(mapping(.timestamp(.modified), .generated(true)).problems.count == 1)
        #expect(mapping(.version, .generated(true)).problems.count == 1)
        #expect(mapping(.timestamp(.modified), .version).problems.count == 1)
        #expect(mapping(.version, .expires).problems.count == 1)
    }

    @Test func `the instant when objects expire can be computed`() {
        let description = mapping(.expires, .generated(true))
        #expect(description.problems.isEmpty)
        let property = description.properties[1]
        #expect(property.role == .expiry(isGenerated: true))
        #expect(property.expires && property.isGenerated && property.isIndexed)
        #expect(description.expiry?.property == 1)
        #expect(description.masks.generated == PropertyMask([1]))
        #expect(description.masks.written == PropertyMask([0]))
    }

    @Test func `of several options of one role the last counts`() {
        #expect(mapping(.timestamp(.created), .timestamp(.modified)).properties[1].role == .timestamp(.modified))
        #expect(mapping(.generated(true), .generated(false)).properties[1].role == .plain)
        #expect(mapping(.version, .version).properties[1].role == .version)
    }

    @Test func `sets of properties are made of kinds and roles`() {
        let masks = Branch.tableMapping.description.masks
        #expect(masks.all == PropertyMask(0..<9))
        #expect(masks.key == PropertyMask([0]))
        #expect(masks.fixed == PropertyMask([1]))
        #expect(masks.created == PropertyMask([2]))
        #expect(masks.version == PropertyMask([3]))
        #expect(masks.generated == PropertyMask([4]))
        #expect(masks.nonKey == PropertyMask([1, 2, 3, 5, 6, 7, 8]))
        #expect(masks.arrays == PropertyMask([5]))
        #expect(masks.relations == PropertyMask([6, 7, 8]))
        #expect(masks.references == PropertyMask([6]))
        #expect(masks.joinTables == PropertyMask([5, 7]))
        #expect(masks.inverse == PropertyMask([8]))
        #expect(masks.inverseArrays == PropertyMask([8]))
    }

    @Test func `a class without changes loads what the other side keeps`() throws {
        // It could not tell an array that was not loaded from an empty one, which a save takes out of the database.
        let relations = Branch.tableMapping.description.columns.relations
        #expect(relations.map(\.loading) == [.eager, .eager, .eager])
    }
}

extension [PropertyOption] {
    /// Passes two options, one of which may say nothing.
    fileprivate func withOptions(_ body: (PropertyOption, PropertyOption) -> Void) {
        body(first ?? .generated(false), count > 1 ? self[1] : first ?? .generated(false))
    }
}

private struct Moment: TableObject {
    var id: Int64
    var at: Date
    static let tableMapping = TableMapping<Moment>(
        type: "Moment",
        describe: { table in
            table.key("id", \.id)
            table.property("at", \.at)
        },
        decode: { Moment(id: try $0.decode(at: 0), at: try $0.decode(at: 1)) })
}

private final class Branch: TableObject, @unchecked Sendable {  // never shared
    var id: Int64?
    let code = ""
    var createdAt: Date?
    var version = 0
    var total: Int?
    var tags: [String] = []
    var parent: Branch?
    var friends: [Branch] = []
    var children: [Branch] = []

    static let tableMapping = TableMapping<Branch>(
        type: "Branch",
        describe: { table in
            table.key("id", \.id)
            table.property("code", \.code)
            table.property("createdAt", \.createdAt, .timestamp(.created))
            table.property("version", \.version, .version)
            table.property("total", \.total, .generated(true))
            table.property("tags", \.tags)
            table.property("parent", \.parent)
            table.property("friends", \.friends)
            table.property("children", \.children, .inverse(\Branch.parent))
        },
        decode: { _ in Branch() })
}
