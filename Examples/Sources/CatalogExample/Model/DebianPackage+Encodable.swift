import Foundation

extension DebianPackage: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, architecture, version, status, priority, section, maintainer, homepage, installedSize, isEssential
        case summary, description, dependencyClauses, preDependencyClauses, dependencies, preDependencies
        case unresolvedDependencies, providedNames, tags
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(architecture, forKey: .architecture)
        try container.encode(version, forKey: .version)
        try container.encodeIfPresent(status, forKey: .status)
        try container.encodeIfPresent(priority, forKey: .priority)
        try container.encodeIfPresent(section?.name, forKey: .section)
        try container.encodeIfPresent(maintainer, forKey: .maintainer)
        try container.encodeIfPresent(homepage?.absoluteString, forKey: .homepage)
        try container.encodeIfPresent(installedSize, forKey: .installedSize)
        try container.encode(isEssential, forKey: .isEssential)
        try container.encodeIfPresent(summary, forKey: .summary)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encode(dependencyClauses, forKey: .dependencyClauses)
        try container.encode(preDependencyClauses, forKey: .preDependencyClauses)
        // By their keys: they lead on to other packages, and in cycles.
        try container.encode(dependencies.map { "\($0.key)" }, forKey: .dependencies)
        try container.encode(preDependencies.map { "\($0.key)" }, forKey: .preDependencies)
        try container.encode(unresolvedDependencies, forKey: .unresolvedDependencies)
        try container.encode(providedNames, forKey: .providedNames)
        try container.encode(tags, forKey: .tags)
    }
}
