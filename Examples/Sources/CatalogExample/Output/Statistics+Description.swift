extension Statistics: CustomStringConvertible {
    var description: String {
        var lines = [
            "\(packages.grouped) packages, \(installed.grouped) installed, \(essential.grouped) essential; "
                + "\(installedSize.kibibytes) once installed",
            "\(maintainers.grouped) maintainers, \(sections.grouped) sections, "
                + "\(providedNames.grouped) provided names, \(tags.grouped) tags",
            "\(dependencyClauses.grouped) dependencies: \(dependencyLinks.grouped) lead to packages of the index, "
                + "\(unresolvedClauses.grouped) to none",
        ]
        lines += Self.table("Architectures", architectures)
        lines += Self.table("Priorities", priorities)
        lines += Self.table("Largest sections", largestSections)
        lines += Self.table("Largest maintainers", largestMaintainers)
        lines += Self.table("Largest packages", largestPackages)
        lines += Self.table("Most needed packages", mostNeededPackages)
        return lines.joined(separator: "\n")
    }

    private static func table(_ title: String, _ groups: [Group]) -> [String] {
        guard !groups.isEmpty else { return [] }
        let rows = groups.map { (packages: $0.packages.grouped, size: $0.installedSize.kibibytes, name: $0.name) }
        let packagesWidth = rows.map(\.packages.count).max() ?? 0
        let sizeWidth = rows.map(\.size.count).max() ?? 0
        return ["", title]
            + rows.map { row in
                "  \(row.packages.padded(to: packagesWidth))  \(row.size.padded(to: sizeWidth))  \(row.name)"
            }
    }

    private static func table(_ title: String, _ packages: [NeededPackage]) -> [String] {
        guard !packages.isEmpty else { return [] }
        let width = packages.map(\.links.grouped.count).max() ?? 0
        return ["", title] + packages.map { "  \($0.links.grouped.padded(to: width))  \($0.name)" }
    }
}

extension String {
    /// The text at the right of so many columns.
    fileprivate func padded(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}
