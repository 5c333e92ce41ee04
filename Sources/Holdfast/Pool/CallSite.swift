/// A place in the caller's code, where an operation was called.
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
