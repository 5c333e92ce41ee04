/// Finds the packages that the clauses of dependencies lead to.
///
/// A clause leads to one package: its first alternative that is in the index. An alternative is in the index if a
/// package has its name; failing that, if one provides it, and then it is the first of those.
///
/// These rules are simpler than dpkg's:
/// - A package of one architecture takes packages of that architecture or of `all`, the first in the index; a package
///   of `all` takes those of any. `name:any` takes any where its own has none; `name:arm64` takes only what is of
///   `arm64`. The field `Multi-Arch` is not looked at.
/// - Versions are not looked at, neither of packages nor of provided names.
/// - Whatever is in the index counts, whether it is installed or not. A package may lead to itself.
struct DependencyResolver {
    private var named: [ByteString: [DebianPackage]] = [:]
    private var providers: [ByteString: [DebianPackage]] = [:]

    /// Creates a resolver for the packages of an index, in its order.
    init(_ packages: [DebianPackage]) {
        named.reserveCapacity(packages.count)
        for package in packages {
            named[ByteString(package.name), default: []].append(package)
            for name in package.providedNames { providers[ByteString(name), default: []].append(package) }
        }
    }

    /// The package that a clause such as `libc6 (>= 2.34)` or `awk | mawk` leads to; nil if none of it is in the index.
    func package(for clause: String, of dependent: DebianPackage) -> DebianPackage? {
        for text in clause.utf8.split(separator: UInt8(ascii: "|")) {
            let alternative = Alternative(text)
            let name = ByteString(alternative.name)
            for candidates in [named[name], providers[name]] {
                if let package = candidates.flatMap({ choose($0, alternative, dependent.architecture) }) {
                    return package
                }
            }
        }
        return nil
    }

    private func choose(
        _ candidates: [DebianPackage], _ alternative: Alternative, _ architecture: String
    ) -> DebianPackage? {
        switch alternative.architecture {
        case nil, "any":
            if architecture == "all" { return candidates.first }
            let own = candidates.first { $0.architecture == architecture || $0.architecture == "all" }
            return own ?? (alternative.architecture == nil ? nil : candidates.first)
        case let other?:
            return candidates.first { $0.architecture == other }
        }
    }
}

/// One alternative of a clause: a name, and the architecture that it is to have.
private struct Alternative {
    let name: String

    /// What stands behind a colon, which may be `any`.
    let architecture: String?

    /// Reads `name:architecture (>= version)`, of which only the name must be there.
    init(_ text: Substring.UTF8View) {
        let name = text.drop(while: \.isWhiteSpace).prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "(") }
        let parts = name.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        self.name = parts.first.map { String(Substring($0)) } ?? ""
        architecture = parts.count == 2 ? String(Substring(parts[1])) : nil
    }
}

extension PackageIndex {
    /// Sets what the dependencies of every package lead to.
    func resolveDependencies() {
        let resolver = DependencyResolver(packages)
        for package in packages {
            var unresolved: [String] = []
            func resolved(_ clauses: [String]) -> [DebianPackage] {
                clauses.compactMap { clause in
                    let target = resolver.package(for: clause, of: package)
                    if target == nil { unresolved.append(clause) }
                    return target
                }
            }
            package.dependencies = resolved(package.dependencyClauses)
            package.preDependencies = resolved(package.preDependencyClauses)
            package.unresolvedDependencies = unresolved
        }
    }
}
