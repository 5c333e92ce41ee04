import Foundation
import Holdfast

/// Numbers and the like, of which an object keeps what they were in its own memory.
@Table
final class Dial {
    var id: Int64?
    var count = -7
    var small: Int8 = -3
    var whole: UInt32 = 4_000_000_000
    var isOpen = true
    var weight = 0.1
    var ratio: Float = 0.1
    var grade = Grade.low
    var celsius = Celsius(0)
    var day = Date(timeIntervalSince1970: 1.25)
    var limit: Int?
    var rate: Double? = -0.5
    var mood: Mood?
    @Version var version = 0

    init() {}

    /// A property's name, what sets it to something else, and what sets it back.
    typealias Change = (name: String, change: @Sendable (Dial) -> Void, back: @Sendable (Dial) -> Void)

    static let changes: [Change] = numbers + others

    private static let numbers: [Change] = [
        ("count", { $0.count += 1 }, { $0.count = -7 }),
        ("small", { $0.small = .min }, { $0.small = -3 }),
        ("whole", { $0.whole = 0 }, { $0.whole = 4_000_000_000 }),
        ("weight", { $0.weight = -0.0 }, { $0.weight = 0.1 }),
        ("ratio", { $0.ratio = .infinity }, { $0.ratio = 0.1 }),
        ("limit", { $0.limit = 0 }, { $0.limit = nil }),
        ("rate", { $0.rate = nil }, { $0.rate = -0.5 }),
    ]

    private static let others: [Change] = [
        ("isOpen", { $0.isOpen.toggle() }, { $0.isOpen = true }),
        ("grade", { $0.grade = .high }, { $0.grade = .low }),
        ("celsius", { $0.celsius = Celsius(1) }, { $0.celsius = Celsius(-0.0) }),
        ("day", { $0.day += 1 }, { $0.day = Date(timeIntervalSince1970: 1.250_000_2) }),
        ("mood", { $0.mood = .wild }, { $0.mood = nil }),
    ]
}
