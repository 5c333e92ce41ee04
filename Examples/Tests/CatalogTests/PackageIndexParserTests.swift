import Foundation
import Testing

@testable import CatalogExample

@Suite struct PackageIndexParserTests {
    /// One package with every field that a package has a property for.
    private let complete = """
        Package: editor
        Status: install ok installed
        Priority: important
        Section: editors
        Essential: yes
        Installed-Size: 1234
        Maintainer: Ada Lovelace <ada@example.org>
        Architecture: amd64
        Version: 2:1.4-3
        Provides: text-editor, vi (= 9.1), emacs:any
        Depends: libc6 (>= 2.34), awk | mawk,
         less
        Pre-Depends: dpkg (>= 1.17)
        Homepage: https://example.org/editor?a=1#top
        Tag: role::program, use::{editing,viewing},
         interface::commandline
        Description: small editor
         The first paragraph
         has two lines.
         .
           An indented line.

        """

    @Test func `reads every field of a package`() throws {
        let packages = try parse(complete).packages
        let package = try #require(packages.first)
        #expect(packages.count == 1)
        #expect(package.name == "editor")
        #expect(package.architecture == "amd64")
        #expect(package.version == "2:1.4-3")
        #expect(package.status == "install ok installed")
        #expect(package.priority == .important)
        #expect(package.section?.name == "editors")
        #expect(package.maintainer?.name == "Ada Lovelace")
        #expect(package.maintainer?.mail == "ada@example.org")
        #expect(package.homepage == URL(string: "https://example.org/editor?a=1#top"))
        #expect(package.installedSize == 1234)
        #expect(package.isEssential)
        #expect(package.summary == "small editor")
        #expect(package.description == "The first paragraph\nhas two lines.\n\n  An indented line.")
        #expect(package.dependencyClauses == ["libc6 (>= 2.34)", "awk | mawk", "less"])
        #expect(package.preDependencyClauses == ["dpkg (>= 1.17)"])
        #expect(package.providedNames == ["text-editor", "vi", "emacs"])
        #expect(package.tags == ["role::program", "use::{editing,viewing}", "interface::commandline"])
    }

    @Test func `a field that is missing or empty is nothing`() throws {
        let package = try #require(parse(stanza("bare", "Homepage:", "Section: ", "Depends:")).packages.first)
        #expect(package.status == nil)
        #expect(package.priority == nil)
        #expect(package.section == nil)
        #expect(package.maintainer == nil)
        #expect(package.homepage == nil)
        #expect(package.installedSize == nil)
        #expect(!package.isEssential)
        #expect(package.summary == nil)
        #expect(package.description == nil)
        #expect(package.dependencyClauses.isEmpty)
        #expect(package.tags.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000])
    func `it does not matter where the chunks end`(size: Int) throws {
        let text = complete + "\n" + stanza("zwölf", "Description: über\n äöü")
        let whole = try parse(text).packages
        let chunked = try parse(Array(text.utf8), chunkSize: size).packages
        #expect(whole.count == 2)
        #expect(whole.map(\.key) == chunked.map(\.key))
        for (whole, chunked) in zip(whole, chunked) {
            for field in DebianPackage.fields { #expect(field.value(whole) == field.value(chunked), "\(field.name)") }
        }
    }

    @Test func `keeps the order of the index`() throws {
        #expect(try parse(stanza("b") + stanza("a") + stanza("c")).packages.map(\.name) == ["b", "a", "c"])
    }

    @Test func `needs no newline at the end`() throws {
        #expect(try parse("Package: a\nArchitecture: all\nVersion: 1").packages.first?.version == "1")
    }

    @Test func `takes any number of empty lines between packages, white space in them, and carriage returns`() throws {
        let text = "\n\n" + stanza("a") + " \t\n\n" + stanza("b").replacingOccurrences(of: "\n", with: "\r\n") + "\n"
        #expect(try parse(text).packages.map(\.name) == ["a", "b"])
        #expect(try parse(text).packages.last?.version == "1.0")
    }

    @Test func `field names have no case`() throws {
        #expect(try parse("PACKAGE: a\narchitecture: all\nvErSiOn: 3\n").packages.first?.version == "3")
    }

    @Test func `passes over comments, also inside of a field`() throws {
        let text = "# An index.\n" + stanza("a", "Depends: b,\n# not c,\n d")
        #expect(try parse(text).packages.first?.dependencyClauses == ["b", "d"])
    }

    @Test func `keeps a priority that Debian does not know`() throws {
        let package = try #require(parse(stanza("a", "Priority: whenever")).packages.first)
        #expect(package.priority == .other("whenever"))
        #expect(package.priority?.rawValue == "whenever")
    }

    @Test func `one name may be there for several architectures`() throws {
        let text = stanza("libc6", architecture: "amd64") + stanza("libc6", architecture: "i386")
        #expect(try parse(text).packages.map(\.key.description) == ["libc6:amd64", "libc6:i386"])
    }

    @Test func `of several versions it takes the newest, whichever comes first`() throws {
        let text =
            stanza("doc", version: "6.9") + stanza("other") + stanza("doc", version: "6.10")
            + stanza("doc", version: "6.10~rc1")
        let index = try parse(text)
        #expect(index.packages.map(\.name) == ["doc", "other"])
        #expect(index.packages.first?.version == "6.10")
        #expect(index.supersededCount == 2)
    }

    @Test func `passes over what dpkg only remembers, and keeps what has left configuration files`() throws {
        let text =
            "Package: gone\nStatus: unknown ok not-installed\n\n"
            + stanza("removed", "Status: deinstall ok config-files") + stanza("here", "Status: install ok installed")
        #expect(try parse(text).packages.map(\.name) == ["removed", "here"])
    }

    @Test func `takes names that differ only in their Unicode form for different`() throws {
        let packages = try parse(stanza("caf\u{E9}") + stanza("cafe\u{301}")).packages
        #expect(packages.map { Array($0.name.utf8).count } == [5, 6])
    }

    @Test func `reads the largest size there is`() throws {
        let package = try parse(stanza("a", "Installed-Size: 9223372036854775807")).packages.first
        #expect(package?.installedSize == .max)
    }
}
