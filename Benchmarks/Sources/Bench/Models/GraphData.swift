import Floor

/// The arrays of the floor's graph as Swift sees them.
extension FloorGraph {
    var allPeople: UnsafeMutableBufferPointer<FloorPerson> {
        UnsafeMutableBufferPointer(start: people, count: Int(person_count))
    }

    var allMeetings: UnsafeMutableBufferPointer<FloorMeeting> {
        UnsafeMutableBufferPointer(start: meetings, count: Int(meeting_count))
    }

    var allProjects: UnsafeMutableBufferPointer<FloorProject> {
        UnsafeMutableBufferPointer(start: projects, count: Int(project_count))
    }

    /// Which of the people leads a project.
    func leadNumber(of project: FloorProject) -> Int { people.map { $0.distance(to: project.lead) } ?? 0 }
}

extension FloorProject {
    var allTags: [String] { UnsafeBufferPointer(start: tags, count: Int(tag_count)).map { String($0) } }

    var allMeetings: UnsafeBufferPointer<UnsafeMutablePointer<FloorMeeting>> {
        UnsafeBufferPointer(start: meetings, count: Int(meeting_count))
    }
}
