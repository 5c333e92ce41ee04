import Foundation
import Holdfast
import Hummingbird
import HummingbirdCore

/// The objects that a list shows, by its address.
///
/// That is, for instance, `/projects?search=moon&show=running&sort=-dueOn&after=…`.
struct ListFilter<Model: PageObject> {
    /// The number of objects on a page.
    static var pageSize: Int { 20 }

    private(set) var search = ""
    private(set) var choice = ""
    private(set) var sort: String
    private(set) var isDescending = false
    private(set) var position: PageCursor?

    /// Reads the address of a list.
    ///
    /// - Throws: An error with the status 400 for what no link of ours says.
    init(_ uri: URI) throws {
        // As a form, which is what the search box sends: spaces are plus signs.
        let input = try FormInput(encoded: uri.query ?? "")
        search = input.text("search")
        choice = input.text("show")
        let order = input.text("sort")
        isDescending = order.hasPrefix("-")
        let property = String(order.drop { $0 == "-" })
        let sortable = Model.columns.compactMap(\.property)
        sort = property.isEmpty ? sortable.first ?? "id" : property
        guard property.isEmpty || sortable.contains(property), Model.choices.contains(where: { $0.value == choice })
        else { throw HTTPError(.badRequest, message: "There is no such list.") }
        let token = input.text("after")
        if !token.isEmpty {
            position = PageCursor(token: token)
            guard position != nil else { throw HTTPError(.badRequest, message: "There is no such page.") }
        }
    }

    /// The objects, on all pages.
    func query(in db: Database) -> Query<Model> {
        var query = db.query(Model.self)
        if !search.isEmpty { query = Model.searching(search, in: query) }
        if let choice = Model.choices.first(where: { $0.value == choice }) { query = choice.apply(query) }
        // Texts as people look for them, whatever their case. What has no value comes last.
        let ordering: Ordering = isDescending ? .descending(sort) : .ascending(sort)
        return query.order(by: [ordering.nulls(.last)])
    }

    // MARK: Addresses

    /// The address of the list, or of what follows it live.
    func path(_ suffix: String = "") -> String { Self.path(search, choice, order, position?.token, suffix) }

    /// The address of the page that begins at a position.
    func path(after position: PageCursor) -> String { Self.path(search, choice, order, position.token) }

    /// The address of the first page of another choice.
    func path(choosing choice: String) -> String { Self.path(search, choice, order, nil) }

    /// The address of the first page in the order of a column: the other way round if that is its order already.
    func path(sortedBy property: String) -> String {
        Self.path(search, choice, property == sort && !isDescending ? "-" + property : property, nil)
    }

    var order: String { isDescending ? "-" + sort : sort }

    private static func path(
        _ search: String, _ choice: String, _ order: String, _ token: String?, _ suffix: String = ""
    ) -> String {
        var components = URLComponents()
        components.path = "/\(Model.path)\(suffix)"
        let parameters = [("search", search), ("show", choice), ("sort", order), ("after", token ?? "")]
        components.queryItems = parameters.filter { !$0.1.isEmpty }.map(URLQueryItem.init)
        // URLComponents leaves plus signs, which stand for spaces in what a form sends.
        return components.string?.replacing("+", with: "%2B") ?? "/\(Model.path)"
    }
}
