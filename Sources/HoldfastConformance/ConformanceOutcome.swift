/// How a case ended: never in silence.
public enum ConformanceOutcome: Hashable, Sendable {
    /// It holds.
    case passed
    /// It holds by other means than those asked for; the names say which.
    case emulated([String])
    /// The engine can't do what is named, and refused it as it should.
    case unsupportedAndRefused([String])
    /// It does not hold, as the manifest says.
    case knownIssue(reason: String)
    /// It does not hold, or it does and the manifest says otherwise.
    case failed(String)

    /// Whether a driver with this outcome conforms.
    public var isAcceptable: Bool {
        if case .failed = self { return false }
        return true
    }

    /// The outcome in a word or two, the same in every report.
    public var name: String {
        switch self {
        case .passed: "passed"
        case .emulated: "emulated"
        case .unsupportedAndRefused: "unsupported"
        case .knownIssue: "known issue"
        case .failed: "failed"
        }
    }

    /// Further details.
    public var detail: String? {
        switch self {
        case .passed: nil
        case .emulated(let names), .unsupportedAndRefused(let names): names.joined(separator: ", ")
        case .knownIssue(let reason): reason
        case .failed(let message): message
        }
    }
}

extension ConformanceOutcome: CustomStringConvertible {
    public var description: String { detail.map { "\(name): \($0)" } ?? name }
}

/// The end of one case.
public struct ConformanceResult: Sendable {
    /// The case.
    public let behaviour: ConformanceCase
    /// How it ended.
    public let outcome: ConformanceOutcome
    /// How long it took, with making and removing its database.
    public let duration: Duration
}
