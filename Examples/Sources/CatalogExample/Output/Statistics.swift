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

    /// A package, and how many times others depend or pre-depend on it.
    struct NeededPackage: Encodable {
        let name: String
        let links: Int
    }

    let packages: Int

    /// Those that dpkg says are installed; an archive's index doesn't say so of any.
    let installed: Int
    let essential: Int

    /// The sizes of all packages together, in KiB.
    let installedSize: Int64
    let maintainers: Int
    let sections: Int

    /// The clauses of dependencies and pre-dependencies: each is a link to a package, or is unresolved.
    let dependencyClauses: Int
    let dependencyLinks: Int
    let unresolvedClauses: Int
    let providedNames: Int
    let tags: Int
    let architectures: [Group]
    let priorities: [Group]
    let largestSections: [Group]
    let largestMaintainers: [Group]
    let largestPackages: [Group]
    let mostNeededPackages: [NeededPackage]
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
        maintainers = try await db.count(Maintainer.self)
        sections = try await db.count(Section.self)
        dependencyClauses = try await Self.count(
            db,
            """
            SELECT (SELECT count(*) FROM debian_package_dependency_clauses)
                + (SELECT count(*) FROM debian_package_pre_dependency_clauses)
            """)
        dependencyLinks = try await Self.count(db, "SELECT count(*) FROM (\(Self.links)) AS links")
        unresolvedClauses = try await Self.count(db, "SELECT count(*) FROM debian_package_unresolved_dependencies")
        providedNames = try await Self.count(db, "SELECT count(*) FROM debian_package_provided_names")
        tags = try await Self.count(db, "SELECT count(*) FROM debian_package_tags")
        architectures = try await Self.groups(db, by: "architecture", limit: 100)
        priorities = try await Self.groups(db, by: "priority", limit: 100)
        largestSections = try await Self.groups(db, by: "section_name", limit: 10)
        largestMaintainers = try await db.sql(
            """
            SELECT min(maintainer.name), count(*), CAST(coalesce(sum(installed_size), 0) AS bigint)
            FROM \(DebianPackage.self) JOIN \(Maintainer.self) ON maintainer.id = maintainer_id
            GROUP BY maintainer.id
            ORDER BY count(*) DESC, 1
            LIMIT 10
            """
        ).fetch(as: (String, Int, Int64).self).map(Group.init)
        largestPackages = try await db.sql(
            """
            SELECT name, 1, installed_size
            FROM \(DebianPackage.self)
            WHERE installed_size IS NOT NULL
            ORDER BY installed_size DESC, name, architecture
            LIMIT 5
            """
        ).fetch(as: (String, Int, Int64).self).map(Group.init)
        mostNeededPackages = try await db.sql(
            """
            SELECT name || ':' || architecture, count(*)
            FROM (\(Self.links)) AS links
            GROUP BY name, architecture
            ORDER BY count(*) DESC, name, architecture
            LIMIT 10
            """
        ).fetch(as: (String, Int).self).map(NeededPackage.init)
    }

    /// Where every dependency and pre-dependency leads.
    private static let links: SQLFragment =
        """
        SELECT dependencies_name AS name, dependencies_architecture AS architecture FROM debian_package_dependencies
        UNION ALL
        SELECT pre_dependencies_name, pre_dependencies_architecture FROM debian_package_pre_dependencies
        """

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
