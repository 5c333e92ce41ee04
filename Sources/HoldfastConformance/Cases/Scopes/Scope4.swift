import Foundation
import Holdfast

/// The boundary of a scope with a value, where objects hold others.
extension ConformanceCase {
    static let scope4: [ConformanceCase] = [
        ConformanceCase(
            "scope-4.deletions", "SCOPE-4", "A deletion of another tenant's takes nothing along, and runs no hook",
            level: .graph
        ) { environment in
            let (db, first, second) = try await openFolders(environment)
            let other = try await second.query(TenantFolder.self).where { $0.name == "b" }.one()
            try expect(try await first.delete(other), equals: 0, "a deletion of another's")
            try expect(try await first.delete([other, other]), equals: 0, "a deletion of it twice")
            let own = try await first.query(TenantFolder.self).where { $0.name == "a" }.one()
            try expect(try await first.delete([own, other]), equals: 1, "a deletion of both")
            try expect(try await db.number("SELECT count(*) FROM tenant_folder"), equals: 3, "the folders that stay")
            try expect(try await db.number("SELECT count(*) FROM tenant_paper"), equals: 1, "the papers that stay")
            try expect(
                try await db.query(TenantEntry.self).order(\.id).fetch().map(\.text), equals: ["folder a", "paper"],
                "the hooks that ran")
            try await second.save(other)
            try expect(try await second.delete(other), equals: 1, "a deletion by its tenant")
            try expect(try await db.number("SELECT count(*) FROM tenant_paper"), equals: 0, "what went with it")
        },
        ConformanceCase(
            "scope-4.links", "SCOPE-4", "Nothing is linked to another tenant's object, nor unlinked from it",
            level: .graph
        ) { environment in
            let (db, first, second) = try await openFolders(environment)
            let folders = try await db.ignoringScopes("tenant").query(TenantFolder.self).order(\.name).fetch()
            let keys = folders.compactMap(\.id)  // a and c are the first tenant's, b and d the second's
            try await first.link(TenantFolder.self, key: keys[0], \.shared, toKeys: [keys[2]])
            try await second.link(TenantFolder.self, key: keys[1], \.shared, toKeys: [keys[3]])
            try await expect(.notFound, from: "an unlinking by another") {
                try await first.unlink(TenantFolder.self, key: keys[1], \.shared, fromKeys: [keys[3]])
            }
            try await expect(.notFound, from: "a link of another's folder") {
                try await first.link(TenantFolder.self, key: keys[1], \.shared, toKeys: [keys[0]])
            }
            try await expect(.notFound, from: "a link to another's folder") {
                try await first.link(TenantFolder.self, key: keys[0], \.shared, toKeys: [keys[1]])
            }
            try expect(try await db.number("SELECT count(*) FROM tenant_folder_shared"), equals: 2, "the links")
            try expect(
                try await first.unlink(TenantFolder.self, key: keys[0], \.shared, fromKeys: [keys[2]]), equals: 1,
                "an unlinking")
        },
        ConformanceCase(
            "scope-4.holders", "SCOPE-4", "An object that somebody holds outside of a scope is not unreferenced",
            level: .graph
        ) { environment in
            let (db, first, second) = try await openFolders(environment)
            let desk = try db.ignoringScopes("tenant")
            let folders = try await desk.query(TenantFolder.self).order(\.name).fetch()
            folders[1].main = folders[0]
            try await desk.save(folders[1])
            let unheld = first.query(TenantFolder.self).unreferenced(by: \TenantFolder.main)
            try expect(try await unheld.fetch().map(\.name), equals: ["c"], "what nobody holds")
            try expect(
                try await second.query(TenantFolder.self).where { $0.name == "b" }.one().main?.name, equals: nil,
                "a reference to another's")

            let (boards, drafts) = (try await environment.open(Pinboard.self), [Bulletin("draft"), Bulletin("free")])
            let board = Pinboard("north")
            try await boards.save(drafts)
            (board.main, board.others) = (drafts[0], [drafts[0]])
            try await boards.save(board)
            try expect(
                try await boards.query(Bulletin.self).ignoringScopes().unreferenced(by: \Pinboard.main).fetch()
                    .map(\.title), equals: ["free"], "a draft that nobody holds")
        },
        ConformanceCase(
            "scope-4.holders-by-arrays", "SCOPE-4", "What an array outside of a scope holds is not unreferenced",
            level: .graph
        ) { environment in
            let (db, first, second) = try await openFolders(environment)
            let folder = try await second.query(TenantFolder.self).where { $0.name == "b" }.one()
            let labels = [TenantLabel("held"), TenantLabel("free")]
            folder.labels = [labels[0]]
            try await second.save(folder)
            try await db.save(labels[1])
            let unheld = first.query(TenantLabel.self).unreferenced(by: \TenantFolder.labels)
            try expect(try await unheld.fetch().map(\.name), equals: ["free"], "what nobody holds")
            try await expect(.invalidValue, from: "a query without a value") {
                _ = try await db.query(TenantLabel.self).unreferenced(by: \TenantFolder.labels).delete()
            }
            try expect(try await unheld.delete(), equals: 1, "a deletion of what nobody holds")
            try expect(
                try await second.query(TenantFolder.self).where { $0.name == "b" }.one().labels.map(\.name),
                equals: ["held"], "what stays")
        },
        ConformanceCase(
            "scope-4.reached", "SCOPE-4", "Nothing of another tenant is reached by an object of one's own",
            level: .graph
        ) { environment in
            let (db, first, second) = try await openFolders(environment)
            let desk = try db.ignoringScopes("tenant")
            let folders = try await desk.query(TenantFolder.self).order(\.name).fetch()
            folders[0].main = folders[1]
            folders[0].shared = [folders[1], folders[2]]
            try await desk.save(folders[0])
            let own = try await first.query(TenantFolder.self).where { $0.name == "a" }.one()
            try await expect(.unsupported, from: "a deletion of it with another's") {
                try await first.delete(own, including: ["main"])
            }
            try expect(try await db.number("SELECT count(*) FROM tenant_folder"), equals: 4, "the folders that stay")
            try await expect(.notFound, from: "another's papers") {
                try await first.loadRelation(\.papers, of: folders[1])
            }
            try expect(own.shared.map(\.name), equals: ["c"], "what an array shows")
            try expect(try await first.unlink(own, \.shared, from: folders[1]), equals: 1, "a link of one's own")
            let again = try await first.query(TenantFolder.self).where { $0.name == "a" }.one()
            again.shared = []
            try await first.save(again)
            try expect(try await second.query(TenantFolder.self).count(), equals: 2, "another's")
        },
        ConformanceCase("scope-4.views", "SCOPE-4", "Queries of two tenants are not mixed", level: .graph) {
            environment in
            let (db, first, second) = try await openFolders(environment)
            let desk = try db.ignoringScopes("tenant")
            let names = second.query(TenantFolder.self).select { $0.name }
            for other in [first, desk] {
                try await expect(.unsupported, from: "a query inside of another's") {
                    _ = try await other.query(TenantFolder.self).where { $0.name.in(names) }.fetch()
                }
                try await expect(.unsupported, from: "a union") {
                    _ = try await other.query(TenantFolder.self).union(second.query(TenantFolder.self)).fetch()
                }
            }
            try expect(
                try await second.query(TenantFolder.self).where { $0.name.in(names) }.count(), equals: 2, "one's own")
            let unbound = Query(TenantFolder.self).select { $0.name }
            try expect(
                try await second.query(TenantFolder.self).where { $0.name.in(unbound) }.count(), equals: 2,
                "one without a database")
            try await expect(.unsupported, from: "an import from another tenant") {
                try await second.importObjects(from: first, [ObjectImport(TenantFolder.self, as: TenantEntry.self)])
            }
        },
        ConformanceCase(
            "scope-4.owned", "SCOPE-4", "What can't be without a tenant's object is refused without a tenant"
        ) {
            environment in
            try await expect(.conflict, from: "a migration") { _ = try await environment.open(TenantEntryOf.self) }
            let db = try await environment.open(TenantFolder.self, TenantPaper.self, TenantEntry.self)
            let first = try db.scoped(["tenant": 1])
            try await expect(.conflict, from: "a selection") {
                _ = try await first.query(TenantEntryOf.self).select { $0.text }.fetch()
            }
            try await expect(.unsupported, from: "an update of all tenants' by a query of one") {
                _ = try await first.query(TenantFolder.self).ignoringScopes().update { $0.name.set("x") }
            }
        },
        ConformanceCase("scope-4.classes", "SCOPE-4", "A class has the scopes of the one that it extends") {
            environment in
            let db = try await environment.open(TenantVehicle.self)
            let (first, second) = (try db.scoped(["tenant": 1]), try db.scoped(["tenant": 2]))
            let cart = TenantVehicle("cart", of: 1)
            cart.isRegistered = false
            try await first.save([TenantVehicle("car", of: 1), TenantVehicle("bus", of: 2), cart])
            try expect(try await first.fetch(TenantVehicle.self).map(\.name), equals: ["car"], "the first tenant's")
            try expect(try await second.fetch(TenantVehicle.self).map(\.name), equals: ["bus"], "the second's")
            try expect(
                try await first.query(TenantVehicle.self).ignoringScope("registered").count(), equals: 2,
                "what is not registered, too")
            try await expect(.invalidValue, from: "a fetch without a value") {
                _ = try await db.fetch(TenantVehicle.self)
            }
        },
        ConformanceCase("scope-4.sweeps", "SCOPE-4", "What has expired is swept, whatever tenant it leads to") {
            environment in
            let db = try await environment.open(
                TenantPass.self, TenantPaper.self, TenantEntry.self, TenantLabel.self)
            let (first, second) = (try db.scoped(["tenant": 1]), try db.scoped(["tenant": 2]))
            let (old, new) = (Date().addingTimeInterval(-10), Date().addingTimeInterval(1_000))
            try await first.save([
                TenantPass(until: old, to: TenantFolder("a", of: 1)), TenantPass(until: new, to: nil),
            ])
            try await second.save(TenantPass(until: old, to: TenantFolder("b", of: 2)))
            try expect(try await first.fetch(TenantPass.self).count, equals: 1, "what has not expired")
            try expect(try await db.sweepExpired(TenantPass.self), equals: 2, "what is swept")
            try expect(try await db.number("SELECT count(*) FROM tenant_pass"), equals: 1, "the rows that stay")
            try expect(try await db.number("SELECT count(*) FROM tenant_folder"), equals: 2, "the folders that stay")
        },
    ]

    /// Opens a database with two folders of each of two tenants, the first of each with a paper.
    private static func openFolders(
        _ environment: ConformanceEnvironment
    ) async throws -> (Database, first: Database, second: Database) {
        let db = try await environment.open(
            TenantFolder.self, TenantPaper.self, TenantEntry.self, TenantLabel.self)
        let (first, second) = (try db.scoped(["tenant": 1]), try db.scoped(["tenant": 2]))
        let (a, b) = (TenantFolder("a", of: 1), TenantFolder("b", of: 2))
        (a.papers, b.papers) = ([TenantPaper()], [TenantPaper()])
        try await first.save([a, TenantFolder("c", of: 1)])
        try await second.save([b, TenantFolder("d", of: 2)])
        return (db, first, second)
    }
}
