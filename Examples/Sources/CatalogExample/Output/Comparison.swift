/// How the packages that were found differ from those that should be there.
struct Comparison: Encodable {
    /// A field that has another value than it should, or leads to a second object for one row.
    struct Difference: Encodable {
        let package: String
        let field: String
        let expected: String
        let found: String
    }

    /// How many rows of a table there should be, and are.
    struct Rows: Encodable, Equatable {
        let expected: Int
        let found: Int

        var areEqual: Bool { expected == found }
    }

    let packages: Int
    let maintainers: Rows
    let sections: Rows

    /// How many links from package to package were followed, and how many of them lead straight back.
    let links: Int
    let cycles: Int
    let isEqual: Bool

    /// How many fields differ; only the first of them are in `differences`.
    let differenceCount: Int
    let differences: [Difference]
    let missing: [String]
    let unexpected: [String]

    private static let shownCount = 10
}

extension Comparison {
    /// Compares packages by their keys, field by field, and checks that those found are one object for each row.
    ///
    /// - Parameters:
    ///   - expected: The packages of an index.
    ///   - found: The packages of the database, by one fetch.
    ///   - maintainerRows: How many maintainers the database has.
    ///   - sectionRows: How many sections the database has.
    init(expected: [DebianPackage], found: [DebianPackage], maintainerRows: Int, sectionRows: Int) {
        var rest = Dictionary(found.map { ($0.key, $0) }) { first, _ in first }
        var missing: [String] = []
        var differences: [Difference] = []
        var differenceCount = 0
        var expectedInstances = Instances(expected)
        var foundInstances = Instances(found)
        let fields = DebianPackage.fields

        func differ(_ package: DebianPackage, _ field: String, expected: String, found: String) {
            differenceCount += 1
            guard differences.count < Self.shownCount else { return }
            differences.append(
                Difference(package: "\(package.key)", field: field, expected: expected, found: found))
        }

        for package in expected {
            _ = expectedInstances.visit(package)
            guard let other = rest.removeValue(forKey: package.key) else {
                missing.append("\(package.key)")
                continue
            }
            for field in fields {
                let (value, otherValue) = (field.value(package), field.value(other))
                if value != otherValue { differ(package, field.name, expected: "\(value)", found: "\(otherValue)") }
            }
            for field in foundInstances.visit(other) {
                differ(package, field, expected: "one object for each row", found: "a second one")
            }
        }
        self.packages = expected.count
        self.maintainers = Rows(expected: expectedInstances.maintainerCount, found: maintainerRows)
        self.sections = Rows(expected: expectedInstances.sectionCount, found: sectionRows)
        self.links = foundInstances.linkCount
        self.cycles = foundInstances.cycleCount
        self.missing = missing
        self.unexpected = rest.keys.map { "\($0)" }.sorted()
        self.differences = differences
        self.differenceCount = differenceCount
        self.isEqual =
            missing.isEmpty && rest.isEmpty && differenceCount == 0 && maintainers.areEqual && sections.areEqual
    }
}

extension Comparison: CustomStringConvertible {
    var description: String {
        guard !isEqual else {
            return """
                All \(packages.grouped) packages are in the database as they are in the index, field by field.
                Their \(links.grouped) links lead from object to object, one for each row, and \(cycles.grouped) of them \
                straight back; they share \(maintainers.found.grouped) maintainers and \(sections.found.grouped) sections.
                """
        }
        var lines = [
            "The database differs from the index: of \(packages.grouped) packages, \(missing.count.grouped) are missing; "
                + "\(unexpected.count.grouped) should not be there; \(differenceCount.grouped) fields differ."
        ]
        for (name, rows) in [("maintainers", maintainers), ("sections", sections)] where !rows.areEqual {
            lines.append("\(name): there are \(rows.found.grouped), and should be \(rows.expected.grouped)")
        }
        lines += missing.prefix(Self.shownCount).map { "missing: \($0)" }
        lines += unexpected.prefix(Self.shownCount).map { "unexpected: \($0)" }
        lines += differences.map { "\($0.package): \($0.field) is \($0.found), and should be \($0.expected)" }
        return lines.joined(separator: "\n")
    }
}
