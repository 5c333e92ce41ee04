import Foundation
import Holdfast

/// A class with an order of its own.
@Table
final class Chapter {
    static let defaultOrder: [Ordering] = [.descending("number"), .ascending("title")]

    var id: Int64?
    var number: Int
    var title: String
    @Timestamp(.modified) var modifiedAt: Date?

    init(_ number: Int, _ title: String) {
        self.number = number
        self.title = title
    }
}
