/// The file and line in the caller's code that called an operation.
struct CallSite: Sendable, CustomStringConvertible {
    /// Module and file, as `#fileID` has them: `App/Import.swift`.
    let fileID: StaticString
    let line: UInt

    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    /// Whether the library itself has called: a part of an operation that the program called.
    var isOwn: Bool {
        guard fileID.hasPointerRepresentation else { return false }
        return UnsafeBufferPointer(start: fileID.utf8Start, count: fileID.utf8CodeUnitCount)
            .starts(with: "Holdfast/".utf8)
    }

    var description: String { "\(fileID):\(line)" }
}
