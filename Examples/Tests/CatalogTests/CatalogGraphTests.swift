import Holdfast
import HoldfastSQLite
import HoldfastTesting
import Testing

@testable import CatalogExample

/// What the database makes of an index, and what comes back.
@Suite(.database(.sqlite, models: DebianPackage.self, Maintainer.self, Section.self))
struct CatalogGraphTests {
    /// Two packages in a cycle, one that needs the first of them twice, and one that must be there before it.
    private let cycle =
        stanza("a", "Depends: b", "Section: libs", "Maintainer: Ada <ada@example.org>")
        + stanza("b", "Depends: a", "Section: libs", "Maintainer: Ada <ada@example.org>")
        + stanza(
            "c", "Depends: a, x, a (>= 1)", "Pre-Depends: d", "Section: utils", "Maintainer: Ada <ada@example.org>")
        + stanza("d", "Maintainer: Bob")

    /// Saves the packages of an index in the database of the test.
    private func catalog(_ text: String) async throws -> (Database, [DebianPackage]) {
        let (db, packages) = (try Database.current, try parse(text).packages)
        try await db.save(packages)
        return (db, packages)
    }

    private func comparison(_ db: Database, with expected: [DebianPackage]) async throws -> Comparison {
        try await Comparison(
            expected: expected, found: db.fetch(DebianPackage.self), maintainerRows: db.count(Maintainer.self),
            sectionRows: db.count(Section.self))
    }

    private func needs(of name: String, levels: Int? = nil, in db: Database) async throws -> Needs {
        try await Needs(of: PackageSelection(name).fetch(from: db, depth: 0), levels: levels, in: db)
    }

    @Test func `what was saved comes back as it was, as one object for each row`() async throws {
        let (db, packages) = try await catalog(cycle)
        let comparison = try await comparison(db, with: packages)
        #expect(comparison.isEqual, "\(comparison)")
        #expect(comparison.maintainers == .init(expected: 2, found: 2))
        #expect(comparison.sections == .init(expected: 2, found: 2))
        #expect(comparison.links == 5)
        #expect(comparison.cycles == 2)
        let found = try await db.fetch(DebianPackage.self)
        #expect(found[0].dependencies[0].dependencies[0] === found[0])
        #expect(found[2].maintainer === found[0].maintainer)
        #expect(found[1].section === found[0].section)
    }

    @Test func `a comparison sees an order, a link and a maintainer that differ`() async throws {
        let (db, packages) = try await catalog(cycle)
        let c = packages[2]
        c.dependencies = [c.dependencies[0], packages[1]]
        c.maintainer = packages[3].maintainer
        let comparison = try await comparison(db, with: packages)
        #expect(comparison.differences.map(\.field) == ["maintainer", "dependencies"])
    }

    @Test func `a comparison sees rows that nothing leads to`() async throws {
        let (db, packages) = try await catalog(cycle)
        try await db.save(Section(name: "empty"))
        let comparison = try await comparison(db, with: packages)
        #expect(!comparison.isEqual)
        #expect(comparison.sections == .init(expected: 2, found: 3))
    }

    @Test func `a comparison sees a second object for a row`() async throws {
        let (db, packages) = try await catalog(cycle)
        // Fetched one by one, each comes with objects of its own.
        var found: [DebianPackage] = []
        for package in packages {
            found += try await db.fetch(DebianPackage.self, keys: [Key(package.name, package.architecture)])
        }
        let comparison = Comparison(expected: packages, found: found, maintainerRows: 2, sectionRows: 2)
        let fields = Set(comparison.differences.map { "\($0.package) \($0.field)" })
        #expect(fields.isSuperset(of: ["b:all section", "b:all maintainer", "b:all dependencies"]))
        #expect(fields.contains("c:all preDependencies"))
    }

    @Test func `who needs a package is found level by level, each once`() async throws {
        let chain = stanza("e", "Depends: c, b") + stanza("f", "Depends: e | a")
        let (db, _) = try await catalog(cycle + chain)
        let needs = try await needs(of: "a", in: db)
        #expect(needs.levels.map(\.packages) == [["b:all", "c:all"], ["e:all"], ["f:all"]])
        #expect(needs.levels.map(\.level) == [1, 2, 3])
        #expect(needs.count == 4)
        let two = try await self.needs(of: "a", levels: 2, in: db)
        #expect(two.levels.map(\.level) == [1, 2])
    }

    @Test func `pre-dependencies count as needs, and a package that nothing needs has no levels`() async throws {
        let (db, _) = try await catalog(cycle)
        let needs = try await needs(of: "d", in: db)
        #expect(needs.levels.map(\.packages) == [["c:all"]])
        let none = try await self.needs(of: "c", in: db)
        #expect(none.levels.isEmpty)
        #expect("\(none)" == "Nothing needs c:all.")
    }

    @Test func `a package is shown with what it leads to, and not with what that leads to`() async throws {
        let (db, _) = try await catalog(cycle)
        let package = try #require(try await PackageSelection("c").fetch(from: db, depth: 1).first)
        #expect(package.dependencies.map(\.name) == ["a", "a"])
        #expect(package.maintainer?.mail == "ada@example.org")
        #expect(!package.isLoaded(\.dependents))
        #expect(!package.dependencies[0].isLoaded(\.dependencies))
    }

    @Test func `a name selects the packages of all architectures, or of one`() async throws {
        let text = stanza("a", architecture: "amd64") + stanza("a", architecture: "i386") + stanza("ab")
        let (db, _) = try await catalog(text)
        func keys(_ selection: PackageSelection) async throws -> [String] {
            try await selection.fetch(from: db, depth: 0).map(\.key.description)
        }
        let all = try await keys(PackageSelection("a"))
        #expect(all == ["a:amd64", "a:i386"])
        let one = try await keys(PackageSelection("a:i386"))
        #expect(one == ["a:i386"])
        let other = try await keys(PackageSelection("a", architecture: "amd64"))
        #expect(other == ["a:amd64"])
    }

    @Test func `a package that is not there is an error that names it`() async throws {
        let (db, _) = try await catalog(cycle)
        await #expect(throws: CatalogError.noPackage("x")) {
            try await PackageSelection("x").fetch(from: db, depth: 0)
        }
        await #expect(throws: CatalogError.noPackage("a:i386")) {
            try await PackageSelection("a", architecture: "i386").fetch(from: db, depth: 0)
        }
    }
}
