extension Statistics: CustomStringConvertible {
    var description: String {
        var lines = [
            "\(packages.grouped) packages, \(installed.grouped) installed, \(essential.grouped) essential; "
                + "\(installedSize.kibibytes) once installed",
            "\(dependencies.grouped) dependencies, \(providedNames.grouped) provided names, \(tags.grouped) tags",
        ]
        lines += Self.table("Architectures", architectures)
        lines += Self.table("Priorities", priorities)
        lines += Self.table("Largest sections", largestSections)
        lines += Self.table("Top maintainers", topMaintainers)
        lines += Self.table("Largest packages", largestPackages)
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
}

extension String {
    /// The text at the right of so many columns.
    fileprivate func padded(to width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}
