import Holdfast

/// Who needs some packages, level by level.
struct Needs: Encodable {
    /// Packages that need one of the level before, and none of those before that.
    struct Level: Encodable {
        /// 1 for those that depend on the packages themselves.
        let level: Int
        let count: Int

        /// Their keys, in alphabetical order.
        let packages: [String]
    }

    let packages: [String]

    /// How many packages there are on all levels.
    let count: Int
    let levels: [Level]
}

extension Needs {
    /// Asks the database, from one level to the next: who depends on any package of the level, and who pre-depends.
    ///
    /// - Parameter levels: How many levels to go; nil for all.
    init(of packages: [DebianPackage], levels limit: Int?, in db: some DatabaseContext) async throws {
        var seen = Set(packages.map(\.key))
        var levels: [Level] = []
        var level = packages
        while !level.isEmpty, levels.count < limit ?? .max {
            // Loaded for the whole level together, however many packages it has.
            try await db.loadRelation(\.dependents, of: level, depth: 0)
            try await db.loadRelation(\.preDependents, of: level, depth: 0)
            // A package that needs several of the level is taken once.
            level = level.flatMap { $0.dependents + $0.preDependents }.filter { seen.insert($0.key).inserted }
            guard !level.isEmpty else { break }
            let names = level.map { "\($0.key)" }.sorted()
            levels.append(Level(level: levels.count + 1, count: level.count, packages: names))
        }
        self.packages = packages.map { "\($0.key)" }
        self.count = levels.reduce(0) { $0 + $1.count }
        self.levels = levels
    }
}

extension Needs: CustomStringConvertible {
    /// How many packages of a level are named; JSON has all.
    private static let namedCount = 12

    var description: String {
        let subject = packages.joined(separator: ", ")
        guard !levels.isEmpty else { return "Nothing needs \(subject)." }
        let lines = levels.map { level in
            let names = level.packages.prefix(Self.namedCount).joined(separator: ", ")
            let rest = level.count - Self.namedCount
            let more = rest > 0 ? " and \(rest.grouped) more" : ""
            return "  level \(level.level): \(level.count.grouped): \(names)\(more)"
        }
        let title = count == 1 ? "1 package needs" : "\(count.grouped) packages need"
        return (["\(title) \(subject)."] + lines).joined(separator: "\n")
    }
}
