import Holdfast

/// A type of objects that have pages: a list of them all, and a form for each.
///
/// ``ObjectPages`` makes the pages; the type says what is on them.
protocol PageObject: TableObject, AnyObject {
    /// The first part of the addresses, which is also the name of the objects in the navigation: `projects`.
    static var path: String { get }
    /// The name of one object, as it is in a sentence: `project`.
    static var noun: String { get }
    static var columns: [ListColumn] { get }
    /// The choices above the list, of which one can be selected.
    static var choices: [ListChoice<Self>] { get }
    /// Whether its list offers a new one; otherwise the page of another object does.
    static var isCreatedFromList: Bool { get }
    /// Relations that the form shows, besides those that are loaded anyway.
    static var formRelations: RelationPaths { get }

    /// Makes an object for the form of a new one. It is saved once the form was sent.
    ///
    /// - Parameter input: What the address of the form says: of a meeting, the project.
    static func blank(_ input: FormInput, in db: Database) async throws -> Self
    /// Returns the objects that a text in the search box finds.
    static func searching(_ text: String, in query: Query<Self>) -> Query<Self>

    var id: Int64? { get }
    var version: Int { get set }
    /// The name that its page has.
    var title: String { get }
    /// The object in the list, a cell for each column.
    var cells: [ListCell] { get }
    /// The address of the form of a new meeting about it; nil if there are none.
    var newMeetingPath: String? { get }
    /// The links to other objects that belong to it, below the form.
    var related: [RelatedLink] { get }

    /// Returns the fields of the form.
    ///
    /// - Parameter people: Everybody, for fields that choose people.
    func fields(people: [Person]) -> [FormField]
    /// Takes what the form holds.
    ///
    /// - Returns: What is wrong with it, by the names of the fields. Nothing is saved if there is anything.
    func take(_ input: FormInput, people: [Person]) -> [String: String]
}

extension PageObject {
    static var isCreatedFromList: Bool { true }
    var newMeetingPath: String? { nil }
}

/// A link to an object that belongs to another one.
struct RelatedLink {
    let path: String
    let text: String
    let detail: String
}
