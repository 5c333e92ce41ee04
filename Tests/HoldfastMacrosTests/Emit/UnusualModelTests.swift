import Foundation
import OtherModule
import Testing

@testable import Holdfast

@Suite struct UnusualModelTests {
    @Test func `names that need backticks are stored without them`() throws {
        let reserved = Reserved()
        reserved.class = 3
        reserved.default = "changed"
        reserved.`first name` = "x"
        let description = Reserved.tableMapping.description
        #expect(
            description.properties.map(\.name) == [
                "self", "class", "default", "order", "init", "Type", "first name", "row", "object", "encoder", "table",
                "body", "größe", "名前",
            ]
        )
        #expect(description.keyIndices == [1])
        #expect(description.columnNames(description.fullMask).prefix(3) == ["self", "class", "default"])
        let copy = try roundTrip(reserved)
        #expect(copy.class == 3)
        #expect(copy.default == "changed")
        #expect(copy.`first name` == "x")
        #expect(copy.名前 == "名")
        #expect(`default`.tableMapping.description.type == "default")
        #expect(try roundTrip(`default`(id: 1)).id == 1)
    }

    @Test func `private properties are kept`() throws {
        let model = Private()
        model.change()
        #expect(try roundTrip(model).revealed == "s!")
        #expect(PrivateStruct.tableMapping.description.properties.count == 3)
        #expect(try roundTrip(PrivateStruct(id: 1, other: 2)).id == 1)
    }

    @Test func `comments take no part`() throws {
        let description = Trivia.tableMapping.description
        #expect(description.table == "trivia")
        #expect(description.columnNames(description.fullMask) == ["id", "A", "b", "text", "d"])
        let copy = try roundTrip(Trivia())
        #expect(copy.text == "two \"lines\"\n  and \\ more")
        #expect(copy.c == [1, 2])
    }

    @Test func `only constant values become defaults`() throws {
        let description = Defaults.tableMapping.description
        let withDefault = description.properties.filter { $0.defaultValue != nil }.map(\.name)
        #expect(
            withDefault == [
                "negative", "hexadecimal", "real", "flag", "text", "status", "implicit", "maximum", "empty",
            ]
        )
    }

    @Test func `optionals spelled out, and types with their modules`() throws {
        let model = Spellings()
        model.unwrapped = "u"
        model.array = [3]
        let copy = try roundTrip(model)
        #expect(copy.unwrapped == "u")
        #expect(copy.array == [3])
        #expect(copy.sugar == [1, nil])
        #expect(Spellings.tableMapping.description.hasGeneratedKey)
    }

    @Test func `attributes can be named with the module`() {
        #expect(Qualified.tableMapping.description.properties.map(\.name) == ["key"])
    }

    @Test func `models of another module`() throws {
        let account = Account(email: "a@example.org", number: UUID())
        account.countFailure()
        account.notes = ["n"]
        let copy = try roundTrip(account)
        #expect(copy.email == account.email)
        #expect(copy.failures == 1)
        #expect(account.isDirty)
        #expect(try roundTrip(Billing.Invoice(number: "7", total: 1.25)).total == 1.25)
        #expect(try roundTrip(Billing.Payment()).total == 0)
        #expect(try roundTrip(AuditEntry(text: "t")).text == "t")
    }
}
