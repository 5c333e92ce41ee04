import Testing

@testable import CatalogExample

@Suite struct DependencyResolverTests {
    /// The keys of what the dependencies of a package lead to, in an index that is given as text.
    private func dependencies(of name: String, in text: String) throws -> [String] {
        try package(name, in: text).dependencies.map(\.key.description)
    }

    private func package(_ name: String, in text: String) throws -> DebianPackage {
        try #require(try parse(text).packages.first { $0.name == name })
    }

    @Test func `a clause leads to the package that it names, whatever version it asks for`() throws {
        let text = stanza("a", "Depends: b (>= 99), c(= 1), d") + stanza("b") + stanza("c") + stanza("d")
        #expect(try dependencies(of: "a", in: text) == ["b:all", "c:all", "d:all"])
    }

    @Test func `of alternatives the first that is in the index is taken`() throws {
        let text = stanza("a", "Depends: x | c (>= 2) | b, b|c") + stanza("b") + stanza("c")
        #expect(try dependencies(of: "a", in: text) == ["c:all", "b:all"])
    }

    @Test func `a package of that name comes before one that provides it, in every alternative`() throws {
        let text =
            stanza("a", "Depends: awk, x | awk, vi | awk") + stanza("mawk", "Provides: awk, vi (= 9)") + stanza("awk")
        #expect(try dependencies(of: "a", in: text) == ["awk:all", "awk:all", "mawk:all"])
    }

    @Test func `of several that provide a name the first in the index is taken`() throws {
        let text = stanza("a", "Depends: awk") + stanza("mawk", "Provides: awk") + stanza("gawk", "Provides: awk")
        #expect(try dependencies(of: "a", in: text) == ["mawk:all"])
    }

    @Test func `a package of an architecture takes packages of that architecture, or of all`() throws {
        let text =
            stanza("a", architecture: "i386", "Depends: lib, doc, only")
            + stanza("lib", architecture: "amd64") + stanza("lib", architecture: "i386")
            + stanza("doc") + stanza("only", architecture: "amd64")
        let package = try package("a", in: text)
        #expect(package.dependencies.map(\.key.description) == ["lib:i386", "doc:all"])
        #expect(package.unresolvedDependencies == ["only"])
    }

    @Test func `the architecture holds for provided names as well`() throws {
        let text =
            stanza("a", architecture: "i386", "Depends: awk")
            + stanza("mawk", architecture: "amd64", "Provides: awk")
            + stanza("gawk", architecture: "i386", "Provides: awk")
        #expect(try dependencies(of: "a", in: text) == ["gawk:i386"])
    }

    @Test func `a package of all architectures takes those of any, the first in the index`() throws {
        let text =
            stanza("a", "Depends: lib") + stanza("lib", architecture: "i386") + stanza("lib", architecture: "amd64")
        #expect(try dependencies(of: "a", in: text) == ["lib:i386"])
    }

    @Test func `a clause may ask for an architecture, or for any`() throws {
        let text =
            stanza("a", architecture: "i386", "Depends: perl:any (>= 5), lib:any, lib:amd64, lib:arm64")
            + stanza("perl", architecture: "amd64")
            + stanza("lib", architecture: "amd64") + stanza("lib", architecture: "i386")
        let package = try package("a", in: text)
        #expect(package.dependencies.map(\.key.description) == ["perl:amd64", "lib:i386", "lib:amd64"])
        #expect(package.unresolvedDependencies == ["lib:arm64"])
    }

    @Test func `clauses that lead nowhere are kept in order, those of pre-dependencies last`() throws {
        let text = stanza("a", "Pre-Depends: x, b", "Depends: y (= 1), b, z | y, x") + stanza("b")
        let package = try package("a", in: text)
        #expect(package.unresolvedDependencies == ["y (= 1)", "z | y", "x", "x"])
        #expect(package.dependencyClauses == ["y (= 1)", "b", "z | y", "x"])
        #expect(package.dependencies.map(\.name) == ["b"])
        #expect(package.preDependencies.map(\.name) == ["b"])
    }

    @Test func `what several clauses lead to is there as often`() throws {
        let text = stanza("a", "Depends: b (>= 1), c, b (<< 2)") + stanza("b") + stanza("c")
        let dependencies = try package("a", in: text).dependencies
        #expect(dependencies.map(\.name) == ["b", "c", "b"])
        #expect(dependencies[0] === dependencies[2])
    }

    @Test func `dependencies may lead in cycles, and to the package itself`() throws {
        let text = stanza("a", "Depends: b") + stanza("b", "Depends: c, b") + stanza("c", "Depends: virtual")
        let packages = try parse(text + stanza("d", "Provides: virtual", "Depends: a")).packages
        #expect(packages[0].dependencies[0].dependencies[0].dependencies[0].dependencies[0] === packages[0])
        #expect(packages[1].dependencies[1] === packages[1])
    }

    @Test func `takes a dependency from the version that is kept`() throws {
        let text = stanza("b", version: "1") + stanza("a", "Depends: b") + stanza("b", version: "2")
        #expect(try package("a", in: text).dependencies.first?.version == "2")
    }

    @Test func `takes names that differ only in their Unicode form for different`() throws {
        let text = stanza("a", "Depends: caf\u{E9}") + stanza("cafe\u{301}")
        #expect(try package("a", in: text).unresolvedDependencies == ["caf\u{E9}"])
    }
}
