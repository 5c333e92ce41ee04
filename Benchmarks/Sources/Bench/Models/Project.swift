import Foundation
import Holdfast

/// The root of the graph: one reference, one array of values, one array of objects.
@Table
final class Project {
    var id: Int64?
    var name: String
    var code: String
    var budget: Double
    var lead: Person
    var tags: [String]
    var meetings: [Meeting]

    init(name: String, code: String, budget: Double, lead: Person, tags: [String], meetings: [Meeting]) {
        self.name = name
        self.code = code
        self.budget = budget
        self.lead = lead
        self.tags = tags
        self.meetings = meetings
    }
}
