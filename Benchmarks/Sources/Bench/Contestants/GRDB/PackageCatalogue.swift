import Floor
import GRDB

/// Packages with their arrays and, by their numbers, what they lead to: GRDB's records are values.
struct PackageCatalogue: Sendable {
    /// A package, and the rows that others hold for it.
    struct Entry: Sendable {
        var package: PackageRecord
        var maintainer: Int
        /// Texts by the table that they go to.
        var texts: [(table: String, values: [String])]
        /// The numbers of packages, by the property that leads to them.
        var links: [(property: String, targets: [Int])]
    }

    var sections: [String]
    var maintainers: [MaintainerRecord]
    var entries: [Entry]
}

extension PackageCatalogue {
    init(_ data: FloorCatalogue) {
        sections = data.sections.strings
        maintainers = data.allMaintainers.map { MaintainerRecord(name: String($0.name), mail: String($0.mail)) }
        entries = data.allPackages.map { package in
            Entry(
                package: PackageRecord(package), maintainer: data.maintainerNumber(of: package),
                texts: [
                    ("package_dependency_clauses", package.dependency_clauses.strings),
                    ("package_pre_dependency_clauses", package.pre_dependency_clauses.strings),
                    ("package_provided_names", package.provided_names.strings),
                    ("package_tags", package.tags.strings),
                ],
                links: [
                    ("dependencies", data.packageNumbers(package.dependencies)),
                    ("pre_dependencies", data.packageNumbers(package.pre_dependencies)),
                ])
        }
    }

    /// Inserts everything; each statement is prepared once.
    mutating func insert(_ db: Database) throws {
        for section in sections {
            try db.cachedStatement(sql: "INSERT INTO section (name) VALUES (?)").execute(arguments: [section])
        }
        for index in maintainers.indices { try maintainers[index].insert(db) }
        for index in entries.indices {
            entries[index].package.maintainerID = maintainers[entries[index].maintainer].id
            try entries[index].package.insert(db)
        }
        guard let first = entries.first else { return }
        for array in first.texts.indices {
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO \(first.texts[array].table) (package_name, package_architecture, position, value)
                    VALUES (?, ?, ?, ?)
                    """)
            for entry in entries {
                let package = entry.package
                for (position, text) in entry.texts[array].values.enumerated() {
                    try insert.execute(arguments: [package.name, package.architecture, position * 1024, text])
                }
            }
        }
        for array in first.links.indices {
            let property = first.links[array].property
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO package_\(property)
                    (package_name, package_architecture, position, \(property)_name, \(property)_architecture)
                    VALUES (?, ?, ?, ?, ?)
                    """)
            for entry in entries {
                let package = entry.package
                for (position, number) in entry.links[array].targets.enumerated() {
                    let target = entries[number].package
                    try insert.execute(arguments: [
                        package.name, package.architecture, position * 1024, target.name, target.architecture,
                    ])
                }
            }
        }
    }
}
