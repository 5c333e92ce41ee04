import Foundation
import Holdfast

/// A package with what it needs, as the catalogue of Examples has it.
@Table
final class Package {
    @PrimaryKey let name: String
    @PrimaryKey let architecture: String
    var version: String
    var status: String?
    var priority: Priority?
    var section: Section?
    var maintainer: Maintainer?
    var homepage: URL?
    var installedSize: Int64?
    var isEssential = false
    var summary: String?
    var description: String?
    var dependencyClauses: [String] = []
    var preDependencyClauses: [String] = []
    var dependencies: [Package] = []
    var preDependencies: [Package] = []
    var unresolvedDependencies: [String] = []
    @Relation(inverse: \Package.dependencies, loading: .onDemand)
    var dependents: [Package] = []
    @Relation(inverse: \Package.preDependencies, loading: .onDemand)
    var preDependents: [Package] = []
    var providedNames: [String] = []
    var tags: [String] = []

    init(name: String, architecture: String, version: String) {
        self.name = name
        self.architecture = architecture
        self.version = version
    }
}

/// How important it is to have a package installed.
enum Priority: String, Storable { case required, important, standard, optional, extra }
