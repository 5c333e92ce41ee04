import Foundation

extension DebianPackage {
    /// Every field that has a value, a line each, and the description.
    var sheet: String {
        var lines = ["\(name) \(version) (\(architecture))"]
        func add(_ title: String, _ value: String?) {
            if let value { lines.append("  \(title): \(value)") }
        }
        add("summary", summary)
        add("status", status)
        add("priority", priority?.rawValue)
        add("section", section?.name)
        add("maintainer", maintainer?.contact)
        add("homepage", homepage?.absoluteString)
        add("installed size", installedSize?.kibibytes)
        add("essential", isEssential ? "yes" : nil)
        add("depends on", list(dependencyClauses))
        add("needs before", list(preDependencyClauses))
        add("that is", list((dependencies + preDependencies).map { "\($0.key)" }))
        add("not in the index", list(unresolvedDependencies))
        add("provides", list(providedNames))
        add("tags", list(tags))
        if let description {
            lines.append("")
            lines += description.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private func list(_ items: [String]) -> String? {
        items.isEmpty ? nil : items.joined(separator: ", ")
    }
}
