/// How the packages that were found differ from those that should be there.
struct Comparison: Encodable {
    /// A field that has another value than it should.
    struct Difference: Encodable {
        let package: String
        let field: String
        let expected: String
        let found: String
    }

    let packages: Int
    let isEqual: Bool

    /// How many fields differ; only the first of them are in `differences`.
    let differenceCount: Int
    let differences: [Difference]
    let missing: [String]
    let unexpected: [String]

    private static let shownCount = 10
}

extension Comparison {
    init(expected: [DebianPackage], found: [DebianPackage]) {
        var rest = Dictionary(found.map { ($0.key, $0) }) { first, _ in first }
        var missing: [String] = []
        var differences: [Difference] = []
        var differenceCount = 0
        let fields = DebianPackage.fields
        for package in expected {
            guard let other = rest.removeValue(forKey: package.key) else {
                missing.append("\(package.key)")
                continue
            }
            for field in fields {
                let (value, otherValue) = (field.value(package), field.value(other))
                guard value != otherValue else { continue }
                differenceCount += 1
                if differences.count < Self.shownCount {
                    let name = "\(package.key)"
                    differences.append(
                        Difference(package: name, field: field.name, expected: "\(value)", found: "\(otherValue)")
                    )
                }
            }
        }
        self.packages = expected.count
        self.missing = missing
        self.unexpected = rest.keys.map { "\($0)" }.sorted()
        self.differences = differences
        self.differenceCount = differenceCount
        self.isEqual = missing.isEmpty && rest.isEmpty && differenceCount == 0
    }
}

extension Comparison: CustomStringConvertible {
    var description: String {
        guard !isEqual else {
            return "All \(packages.grouped) packages are in the database as they are in the index, field by field."
        }
        var lines = [
            "The database differs from the index: of \(packages.grouped) packages, \(missing.count.grouped) are missing; "
                + "\(unexpected.count.grouped) should not be there; \(differenceCount.grouped) fields differ."
        ]
        lines += missing.prefix(Self.shownCount).map { "missing: \($0)" }
        lines += unexpected.prefix(Self.shownCount).map { "unexpected: \($0)" }
        lines += differences.map { "\($0.package): \($0.field) is \($0.found), and should be \($0.expected)" }
        return lines.joined(separator: "\n")
    }
}
