import Foundation
import Holdfast
import Hummingbird

extension Meeting: PageObject {
    static let path = "meetings"
    static let noun = "meeting"
    static let columns = [
        ListColumn(title: "Starts", property: "startsAt"),
        ListColumn(title: "Title", property: "title"),
        ListColumn(title: "Project", property: "project.name", isSecondary: true),
    ]
    static let choices = [
        ListChoice<Meeting>(value: "", text: "All") { $0 },
        ListChoice(value: "coming", text: "Upcoming") { query in
            let now = Date.now
            return query.where { $0.startsAt >= now }
        },
        ListChoice(value: "past", text: "Past") { query in
            let now = Date.now
            return query.where { $0.startsAt < now }
        },
    ]
    /// A meeting begins on the page of its project.
    static let isCreatedFromList = false
    static let formRelations: RelationPaths = ["attendees"]

    static func blank(_ input: FormInput, in db: Database) async throws -> Meeting {
        guard let id = Int64(input.text("project")), let project = try await db.find(Project.self, key: id) else {
            throw HTTPError(.badRequest, message: "Begin on the page of the project that the meeting is about.")
        }
        // Tomorrow at ten.
        let day = (Date.now.timeIntervalSince1970 / 86_400).rounded(.down) + 1
        return Meeting(title: "", startsAt: Date(timeIntervalSince1970: day * 86_400 + 36_000), project: project)
    }

    static func searching(_ text: String, in query: Query<Meeting>) -> Query<Meeting> {
        query.where {
            $0.title.contains(text, caseSensitive: false) || $0.project.name.contains(text, caseSensitive: false)
        }
    }

    var cells: [ListCell] {
        [
            ListCell(text: Dates.shownMinute(startsAt), style: .quiet),
            ListCell(text: title, style: .strong),
            ListCell(text: project?.name ?? "–"),
        ]
    }

    var related: [RelatedLink] {
        guard let project else { return [] }
        return [RelatedLink(path: "/projects/\(project.id ?? 0)", text: project.name, detail: "The project")]
    }

    func fields(people: [Person]) -> [FormField] {
        [
            FormField("title", "Title", .text, title, isRequired: true),
            FormField("startsAt", "Starts (UTC)", .dateTime, Dates.minute(startsAt), isRequired: true),
            FormField(
                "attendees", "Attendees", .choices(people.map(\.option)), values: attendees.map(\.option.value)),
            FormField("minutes", "Minutes", .longText, minutes),
        ]
    }

    func take(_ input: FormInput, people: [Person]) -> [String: String] {
        var problems: [String: String] = [:]
        set(\.title, to: input.text("title"))
        if title.isEmpty { problems["title"] = "A meeting needs a title." }
        if let start = Dates.fromMinute(input.text("startsAt")) {
            // The field has no seconds, and is to change nothing by that.
            if Dates.minute(start) != Dates.minute(startsAt) { startsAt = start }
        } else {
            problems["startsAt"] = "Write the time as 2026-11-26T09:30."
        }
        let chosen = people.chosen(input.texts("attendees"))
        if Set(chosen.map(\.id)) != Set(attendees.map(\.id)) { attendees = chosen }
        set(\.minutes, to: input.text("minutes"))
        return problems
    }
}
