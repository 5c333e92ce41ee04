import Foundation

extension Stanza {
    /// The package that this describes, or `nil` if dpkg remembers no more than its name.
    ///
    /// Its dependencies are clauses only: what they lead to, only the whole index tells.
    ///
    /// - Parameter shared: The maintainers and sections of the packages before, and then of this one too.
    /// - Throws: `PackageIndexError` if a field is missing, or has a value that it can't have.
    func package(sharing shared: inout SharedObjects) throws -> DebianPackage? {
        let name = try required("Package")
        let status = text("Status")
        if let status, status.split(separator: " ").last == "not-installed" { return nil }

        let package = try DebianPackage(
            name: name,
            architecture: required("Architecture"),
            version: required("Version")
        )
        package.status = status
        package.priority = text("Priority").map(Priority.init(rawValue:))
        package.section = text("Section").map { shared.section($0) }
        package.maintainer = text("Maintainer").map { shared.maintainer($0) }
        package.homepage = try url("Homepage")
        package.installedSize = try number("Installed-Size")
        package.isEssential = try flag("Essential")
        if let field = field("Description") {
            (package.summary, package.description) = description(of: field)
        }
        package.dependencyClauses = items("Depends")
        package.preDependencyClauses = items("Pre-Depends")
        package.providedNames = items("Provides").map(packageName)
        package.tags = items("Tag")
        return package
    }

    private func text(_ name: String) -> String? {
        field(name).flatMap(line(of:))
    }

    private func required(_ name: String) throws -> String {
        guard let text = text(name) else {
            throw PackageIndexError(line: field(name)?.line ?? firstLine, problem: .missingField(name))
        }
        return text
    }

    private func items(_ name: String) -> [String] {
        field(name).map(items(of:)) ?? []
    }

    private func number(_ name: String) throws -> Int64? {
        guard let field = field(name), let text = line(of: field) else { return nil }
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int64(text) else {
            throw PackageIndexError(line: field.line, problem: .invalidNumber(field: name, text: text))
        }
        return number
    }

    private func flag(_ name: String) throws -> Bool {
        guard let field = field(name), let text = line(of: field) else { return false }
        switch text {
        case "yes": return true
        case "no": return false
        default: throw PackageIndexError(line: field.line, problem: .invalidFlag(field: name, text: text))
        }
    }

    private func url(_ name: String) throws -> URL? {
        guard let field = field(name), let text = line(of: field) else { return nil }
        guard let url = URL(string: text) else {
            throw PackageIndexError(line: field.line, problem: .invalidURL(field: name, text: text))
        }
        return url
    }

    /// The name in a clause such as `mail-transport-agent (= 4.96)` or `perl:any`.
    private func packageName(_ clause: String) -> String {
        String(clause.prefix { $0 != " " && $0 != "(" && $0 != ":" })
    }
}
