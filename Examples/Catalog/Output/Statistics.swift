import Holdfast

/// The catalogue in numbers.
struct Statistics: Encodable {
    /// Packages that have something in common.
    struct Group: Encodable {
        let name: String
        let packages: Int

        /// Their sizes together, in KiB.
        let installedSize: Int64
    }

    let packages: Int

    /// Those that dpkg says are installed; an archive's index doesn't say so of any.
    let installed: Int
    let essential: Int

    /// The sizes of all packages together, in KiB.
    let installedSize: Int64
    let dependencies: Int
    let providedNames: Int
    let tags: Int
    let architectures: [Group]
    let priorities: [Group]
    let largestSections: [Group]
    let topMaintainers: [Group]
    let largestPackages: [Group]
}

extension Statistics {
    /// Asks the database for every number.
    init(of db: some DatabaseContext) async throws {
        let totals = try await db.sql(
            """
            SELECT count(*), count(CASE WHEN status LIKE '% installed' THEN 1 END), count(CASE WHEN is_essential THEN 1 END),
                CAST(coalesce(sum(installed_size), 0) AS bigint)
            FROM \(DebianPackage.self)
            """
        ).fetch(as: (Int, Int, Int, Int64).self)
        (packages, installed, essential, installedSize) = totals.first ?? (0, 0, 0, 0)
        dependencies = try await Self.count(db, "SELECT count(*) FROM debian_package_dependencies")
        providedNames = try await Self.count(db, "SELECT count(*) FROM debian_package_provided_names")
        tags = try await Self.count(db, "SELECT count(*) FROM debian_package_tags")
        architectures = try await Self.groups(db, by: "architecture", limit: 100)
        priorities = try await Self.groups(db, by: "priority", limit: 100)
        largestSections = try await Self.groups(db, by: "section", limit: 10)
        topMaintainers = try await Self.groups(db, by: "maintainer", limit: 10)
        largestPackages = try await db.sql(
            """
            SELECT name, 1, installed_size
            FROM \(DebianPackage.self)
            WHERE installed_size IS NOT NULL
            ORDER BY installed_size DESC, name, architecture
            LIMIT 5
            """
        ).fetch(as: (String, Int, Int64).self).map(Group.init)
    }

    private static func count(_ db: some DatabaseContext, _ sql: SQLFragment) async throws -> Int {
        try await db.sql(sql).fetch(as: Int.self).first ?? 0
    }

    /// The packages by a column, those groups first that have the most.
    private static func groups(
        _ db: some DatabaseContext, by column: String, limit: Int
    ) async throws -> [Group] {
        try await db.sql(
            """
            SELECT coalesce(\(identifier: column), 'none'), count(*), CAST(coalesce(sum(installed_size), 0) AS bigint)
            FROM \(DebianPackage.self)
            GROUP BY \(identifier: column)
            ORDER BY count(*) DESC, 1
            LIMIT \(limit)
            """
        ).fetch(as: (String, Int, Int64).self).map(Group.init)
    }
}
