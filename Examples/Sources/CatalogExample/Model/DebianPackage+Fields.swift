import Foundation

extension DebianPackage {
    /// A field that two descriptions of one package can differ in.
    struct Field {
        let name: String
        let value: (DebianPackage) -> FieldValue
    }

    /// Every field but the key, in the order in which differences are told.
    static var fields: [Field] {
        [
            Field(name: "version") { .text($0.version) },
            Field(name: "status") { .text($0.status) },
            Field(name: "priority") { .text($0.priority?.rawValue) },
            Field(name: "section") { .text($0.section?.name) },
            Field(name: "maintainer") { .text($0.maintainer?.contact) },
            Field(name: "homepage") { .text($0.homepage?.absoluteString) },
            Field(name: "installedSize") { .number($0.installedSize) },
            Field(name: "isEssential") { .flag($0.isEssential) },
            Field(name: "summary") { .text($0.summary) },
            Field(name: "description") { .text($0.description) },
            Field(name: "dependencyClauses") { .list($0.dependencyClauses) },
            Field(name: "preDependencyClauses") { .list($0.preDependencyClauses) },
            Field(name: "dependencies") { .list($0.dependencies.map { "\($0.key)" }) },
            Field(name: "preDependencies") { .list($0.preDependencies.map { "\($0.key)" }) },
            Field(name: "unresolvedDependencies") { .list($0.unresolvedDependencies) },
            Field(name: "providedNames") { .list($0.providedNames) },
            Field(name: "tags") { .list($0.tags) },
        ]
    }
}
