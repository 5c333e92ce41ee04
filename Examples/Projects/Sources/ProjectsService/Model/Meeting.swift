import Foundation
import Holdfast

/// A meeting about a project.
@Table(log: true)
final class Meeting {
    var id: Int64?
    var title: String
    @Indexed var startsAt: Date
    @Required var project: Project?
    @Relation(loading: .onDemand) var attendees: [Person] = []
    var minutes = ""
    @Version var version = 0

    init(title: String, startsAt: Date, project: Project?) {
        self.title = title
        self.startsAt = startsAt
        self.project = project
    }
}
