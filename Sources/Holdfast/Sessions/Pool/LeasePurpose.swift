/// The purpose of a lease, as timeouts, refusals and the log name it.
///
/// It is made of static strings alone: making one costs no allocation, and no stored or bound value can find its
/// way through it into a message.
struct LeasePurpose: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// One or two words: `transaction`, `stream`.
    let name: StaticString
    /// Where the operation was called; nil for what the library does by itself.
    let site: CallSite?

    init(_ name: StaticString, at site: CallSite? = nil) {
        self.name = name
        self.site = site
    }

    init(stringLiteral name: StaticString) { self.init(name) }

    /// Returns the purpose with the call site.
    func at(_ site: CallSite?) -> LeasePurpose { site == nil ? self : LeasePurpose(name, at: site) }

    var description: String { site.map { "\(name) at \($0)" } ?? "\(name)" }
}
