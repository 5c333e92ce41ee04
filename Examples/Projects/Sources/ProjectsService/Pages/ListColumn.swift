import Holdfast

/// A column of a list.
struct ListColumn: Sendable {
    let title: String
    /// The property that the list is ordered by when somebody clicks on the title; nil for none.
    let property: String?
    /// Whether narrow windows do without it.
    var isSecondary = false
}

/// A cell of a list.
struct ListCell {
    enum Style: String {
        case plain, strong, quiet, badge
    }

    let text: String
    var style = Style.plain
    /// The name of a badge's colour.
    var tone = ""
}

/// A choice above a list: all projects, those that run.
struct ListChoice<Model: PageObject>: Sendable {
    /// The value in the address; empty for the first one.
    let value: String
    let text: String
    let apply: @Sendable (Query<Model>) -> Query<Model>
}
