/// The file and line in the caller's code that called an operation.
struct CallSite: Sendable, CustomStringConvertible {
    /// Module and file, as `#fileID` has them: `App/Import.swift`.
    let fileID: StaticString
    let line: UInt

    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    var description: String { "\(fileID):\(line)" }
}
