import Foundation
import Holdfast

/// What a test asks of its databases.
struct TestSettings: Sendable {
    let template: DatabaseTemplate
    /// The time at which the clock stands at first; nil for that of the engine.
    let clock: Date?
    let configure: @Sendable (inout DatabaseConfiguration) -> Void
}
