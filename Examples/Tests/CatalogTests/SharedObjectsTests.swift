import Testing

@testable import CatalogExample

@Suite struct SharedObjectsTests {
    @Test func `packages share their maintainer and their section`() throws {
        let fields = "Maintainer: Ada <ada@example.org>\nSection: libs"
        let packages = try parse(stanza("a", fields) + stanza("b", fields)).packages
        #expect(packages[0].maintainer === packages[1].maintainer)
        #expect(packages[0].section === packages[1].section)
    }

    @Test func `the same name with another address is another maintainer`() throws {
        let text =
            stanza("a", "Maintainer: Ada <ada@example.org>") + stanza("b", "Maintainer: Ada <ada@example.com>")
            + stanza("c", "Maintainer: Ada")
        #expect(Set(try parse(text).packages.compactMap { $0.maintainer.map(ObjectIdentifier.init) }).count == 3)
    }

    @Test(arguments: [
        ("Ada Lovelace <ada@example.org>", "Ada Lovelace", "ada@example.org"),
        ("Zoë 🍮 <zoe@example.org>", "Zoë 🍮", "zoe@example.org"),
        ("A <B> C <abc@example.org>", "A <B> C", "abc@example.org"),
        ("Nobody <>", "Nobody", ""),
    ])
    func `a contact is a name and an address`(contact: String, name: String, mail: String) {
        let maintainer = Maintainer(contact: contact)
        #expect(maintainer.name == name)
        #expect(maintainer.mail == mail)
        #expect(maintainer.contact == contact)
    }

    @Test(arguments: [
        "Ada", "<ada@example.org>", " <ada@example.org>", "Ada<ada@example.org>", "Ada <a@b> (home)", ">", "",
    ])
    func `a contact of another form is a name`(contact: String) {
        let maintainer = Maintainer(contact: contact)
        #expect(maintainer.name == contact)
        #expect(maintainer.mail == nil)
        #expect(maintainer.contact == contact)
    }
}
