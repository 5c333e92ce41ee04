import Foundation
import Holdfast

/// What people work on together.
@Table(log: true, indexes: [.index("status", "name")])
final class Project {
    var id: Int64?
    @Unique var code: String
    @Indexed var name: String
    var status = ProjectStatus.planned
    /// The day, as midnight in UTC.
    @Indexed var dueOn: Date?
    var notes = ""
    var lead: Person?
    /// Lists do without it: forms ask for it by name.
    @Relation(loading: .onDemand) var members: [Person] = []
    @Relation(inverse: \Meeting.project, deleteRule: .cascade) var meetings: [Meeting] = []
    @Version var version = 0
    @Timestamp(.modified) var changedAt: Date?

    init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}
