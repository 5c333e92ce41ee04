import Floor
import Foundation
import Holdfast

extension HoldfastContestant {
    /// Packages that are taken apart with the last reference: circles keep themselves alive.
    final class Catalogue {
        let packages: [Package]

        init(packages: [Package]) { self.packages = packages }

        deinit {
            for package in packages {
                package.dependencies = []
                package.preDependencies = []
                package.dependents = []
                package.preDependents = []
            }
        }
    }

    func makeCatalogue(_ data: FloorCatalogue) -> Catalogue {
        let sections = data.sections.strings.map { Section(name: $0) }
        let maintainers = data.allMaintainers.map { Maintainer(name: String($0.name), mail: String($0.mail)) }
        let packages = data.allPackages.map { data in
            Package(name: String(data.name), architecture: String(data.architecture), version: String(data.version))
        }
        for (package, from) in zip(packages, data.allPackages) {
            package.priority = Priority(rawValue: String(from.priority))
            package.section = sections[data.sectionNumber(of: from)]
            package.maintainer = maintainers[data.maintainerNumber(of: from)]
            package.homepage = URL(string: String(from.homepage))
            package.installedSize = from.installed_size
            package.isEssential = from.is_essential
            package.summary = String(from.summary)
            package.dependencyClauses = from.dependency_clauses.strings
            package.preDependencyClauses = from.pre_dependency_clauses.strings
            package.dependencies = data.packageNumbers(from.dependencies).map { packages[$0] }
            package.preDependencies = data.packageNumbers(from.pre_dependencies).map { packages[$0] }
            package.providedNames = from.provided_names.strings
            package.tags = from.tags.strings
        }
        return Catalogue(packages: packages)
    }

    func save(_ catalogue: inout Catalogue) async throws { try await db.save(catalogue.packages) }
}
