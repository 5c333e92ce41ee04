/// Which objects a fetch made, to tell whether each row is one object, whatever leads to it.
struct Instances {
    private let packages: [PackageKey: DebianPackage]
    private var maintainers: [ByteString: Maintainer] = [:]
    private var sections: [ByteString: Section] = [:]

    /// How many maintainers and sections the packages lead to.
    var maintainerCount: Int { maintainers.count }
    var sectionCount: Int { sections.count }

    /// How many times a package leads to another, or to itself.
    private(set) var linkCount = 0

    /// How many of those links have one that leads straight back.
    private(set) var cycleCount = 0

    init(_ packages: [DebianPackage]) {
        self.packages = Dictionary(packages.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Looks at what a package leads to.
    ///
    /// - Returns: The fields that lead to a second object for a row.
    mutating func visit(_ package: DebianPackage) -> [String] {
        var fields: [String] = []
        if let section = package.section, section !== first(of: section) { fields.append("section") }
        if let maintainer = package.maintainer, maintainer !== first(of: maintainer) { fields.append("maintainer") }
        if !visit(package.dependencies, from: package) { fields.append("dependencies") }
        if !visit(package.preDependencies, from: package) { fields.append("preDependencies") }
        return fields
    }

    private mutating func visit(_ targets: [DebianPackage], from package: DebianPackage) -> Bool {
        var areShared = true
        for target in targets {
            linkCount += 1
            if target !== packages[target.key] { areShared = false }
            if (target.dependencies + target.preDependencies).contains(where: { $0 === package }) { cycleCount += 1 }
        }
        return areShared
    }

    private mutating func first(of section: Section) -> Section {
        let key = ByteString(section.name)
        if let first = sections[key] { return first }
        sections[key] = section
        return section
    }

    private mutating func first(of maintainer: Maintainer) -> Maintainer {
        let key = ByteString(maintainer.contact)
        if let first = maintainers[key] { return first }
        maintainers[key] = maintainer
        return maintainer
    }
}
