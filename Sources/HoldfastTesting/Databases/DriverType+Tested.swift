import Foundation
public import Holdfast
public import Testing

extension DriverType {
    /// Returns those of some engines on which tests are to run: all, unless the environment says otherwise.
    ///
    /// ```swift
    /// @Test(.database(models: Project.self), arguments: DriverType.tested(.sqlite, .postgres))
    /// ```
    ///
    /// ```sh
    /// HOLDFAST_TEST_ENGINES=sqlite swift test    # where no PostgreSQL is installed
    /// ```
    ///
    /// - Parameter engines: The engines, in the order in which tests get them.
    public static func tested(_ engines: DriverType...) -> [DriverType] { engines.filter(\.isTested) }

    /// Whether tests run on this engine.
    var isTested: Bool { isNamed(in: ProcessInfo.processInfo.environment["HOLDFAST_TEST_ENGINES"]) }

    /// Whether a list of engines has this one; there is no list if it is nil or empty.
    func isNamed(in list: String?) -> Bool {
        guard let list, !list.isEmpty else { return true }
        let names = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        return schemes.contains(where: names.contains)
    }
}

extension DriverType: CustomTestStringConvertible {
    /// The first scheme of its URLs, by which a test says on which engine it runs.
    public var testDescription: String { schemes.first ?? "no scheme" }
}
