import Foundation
import Holdfast

/// A binary package, as a Debian package index describes it.
///
/// A name alone is no key: a machine can have a library for several architectures.
@Table
final class DebianPackage {
    @PrimaryKey let name: String
    @PrimaryKey let architecture: String
    var version: String

    /// What dpkg wants, whether there is an error, and what is the case: `install ok installed`.
    ///
    /// The index of an archive, which tells what could be installed, has none.
    var status: String?
    var priority: Priority?

    /// The section and the maintainer, each one object for all packages that have it.
    var section: Section?
    var maintainer: Maintainer?
    var homepage: URL?

    /// The size of the files once installed, in KiB, as the packager estimated it.
    var installedSize: Int64?
    var isEssential = false

    /// The first line of the description.
    var summary: String?

    /// The description without its first line: paragraphs, with empty lines between them.
    var description: String?

    /// What must be there to run it, in order, as the index says it: `libc6 (>= 2.34)` or `awk | mawk`.
    var dependencyClauses: [String] = []

    /// What must be there even to unpack it.
    var preDependencyClauses: [String] = []

    /// The packages that its clauses lead to, in their order, and as often as they do: ``DependencyResolver`` says how.
    ///
    /// They may lead back to this one.
    var dependencies: [DebianPackage] = []
    var preDependencies: [DebianPackage] = []

    /// The clauses that lead to no package of the index; those of ``preDependencyClauses`` come last.
    var unresolvedDependencies: [String] = []

    /// The packages that depend on this one: the other side of ``dependencies``, loaded when asked for.
    @Relation(inverse: \DebianPackage.dependencies, loading: .onDemand)
    var dependents: [DebianPackage] = []

    /// The packages that can't even be unpacked without this one.
    @Relation(inverse: \DebianPackage.preDependencies, loading: .onDemand)
    var preDependents: [DebianPackage] = []

    /// The names of the virtual packages that it stands for, without versions.
    var providedNames: [String] = []

    /// Its classification, such as `role::program`.
    var tags: [String] = []

    init(name: String, architecture: String, version: String) {
        self.name = name
        self.architecture = architecture
        self.version = version
    }
}

extension DebianPackage {
    var key: PackageKey { PackageKey(name: name, architecture: architecture) }
}
