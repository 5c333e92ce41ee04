/// How a pool stood at one moment, in words for the error of a checkout timeout.
struct PoolReport: Sendable, CustomStringConvertible {
    /// A connection in use.
    struct Holder: Sendable {
        let purpose: LeasePurpose
        let duration: Duration
    }

    /// How many holders are named: those that hold for longest are the ones to look at.
    static let namedHolders = 3

    let maximum: Int
    let opening: Int
    let closing: Int
    /// Everyone who holds a connection, those who hold it for longest first.
    let holders: [Holder]
    /// How the latest attempt to open a connection failed, if it did.
    let openFailure: DatabaseError.Code?

    /// The report in a sentence.
    ///
    /// `4 of at most 4 connections are in use (transaction at App/Import.swift:7 for 31.2 s, and 3 more)`
    var description: String {
        var text = "\(holders.count) of at most \(maximum) connections are in use"
        if !holders.isEmpty {
            var names = holders.prefix(Self.namedHolders).map { "\($0.purpose) for \(Self.seconds($0.duration))" }
            if holders.count > names.count { names.append("and \(holders.count - names.count) more") }
            text += " (\(names.joined(separator: ", ")))"
        }
        if opening > 0 { text += ", \(opening) being opened" }
        if closing > 0 { text += ", \(closing) being closed" }
        if let openFailure { text += ", and the latest attempt to open one failed (\(openFailure))" }
        return text
    }

    /// `duration` in seconds, or below one second in milliseconds: `31.2 s`, `250 ms`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        guard milliseconds >= 1000 else { return "\(Int(milliseconds.rounded())) ms" }
        let tenths = Int64((milliseconds / 100).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
