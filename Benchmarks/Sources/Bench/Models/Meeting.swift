import Foundation
import Holdfast

/// A meeting of a project.
@Table
final class Meeting {
    var id: Int64?
    var title: String
    var startsAt: Date
    var minutes: Int

    init(title: String, startsAt: Date, minutes: Int) {
        self.title = title
        self.startsAt = startsAt
        self.minutes = minutes
    }
}
