#if DEBUG
import Logging
import Synchronization

extension LoadOrigin {
    /// How many loads by one line of the program are worth a warning.
    private static let noticedCount = 10

    /// Counts the load of a relation for one object.
    func noteRelation(_ name: String, of type: String, by access: DatabaseAccess) {
        note(
            "\(type).\(name)",
            "A relation is loaded for one object after the other of those that one fetch gave, by a statement each. Load it with them, by `including`, or for all of them, by `loadRelation(_:of:)` with an array.",
            by: access)
    }

    /// Counts the load of what a reference leads to.
    func noteReference(to type: String, by access: DatabaseAccess) {
        note(
            "Reference<\(type)>",
            "References of objects that one fetch gave are loaded one after the other, by a statement each. Fetch what they lead to together, by `fetch(_:keys:)`.",
            by: access)
    }

    private func note(_ name: String, _ message: String, by access: DatabaseAccess) {
        guard let site, let loadSite = access.site else { return }
        let count = counts.withLock { counts in
            let count = counts["\(name) \(loadSite)", default: 0] + 1
            counts["\(name) \(loadSite)"] = count
            return count
        }
        guard count == Self.noticedCount,
            access.core.warnings.isFirst(about: "loads of \(name) at \(loadSite) after \(site)")
        else { return }
        access.core.configuration.telemetry.logger.warning(
            "\(message)", metadata: ["relation": "\(name)", "call_site": "\(loadSite)", "fetch_site": "\(site)"])
    }
}
#endif
