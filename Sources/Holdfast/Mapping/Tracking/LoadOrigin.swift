#if DEBUG
import Synchronization

/// A fetch, as debug builds remember it in the objects that it gave: to see that something is loaded for one after the
/// other of them (decision 0059).
final class LoadOrigin: Sendable {
    /// The fetch whose objects are being made.
    @TaskLocal static var current: LoadOrigin?

    /// Where the fetch was called.
    let site: CallSite?
    /// The loads, by what is loaded and from where.
    let counts = Mutex<[String: Int]>([:])

    init(_ site: CallSite?) { self.site = site }
}
#endif
