import Foundation
import Holdfast

/// A page of a list.
struct ListPage<Model: PageObject> {
    let filter: ListFilter<Model>

    init(_ filter: ListFilter<Model>) { self.filter = filter }

    /// The whole page, with the rows in it.
    func content(rows: HTML) -> HTML {
        let new: HTML = """
            <a class="button primary" href="/\(Model.path)/new">New \(Model.noun)</a>
            """
        return """
            <div class="heading">
            <h1>\(Model.path.capitalized)</h1>
            \(new, if: Model.isCreatedFromList)
            </div>
            <div class="tools">
            <form class="search" action="/\(Model.path)" role="search">
            <label class="hidden" for="search">Search \(Model.path.capitalized)</label>
            <input id="search" type="search" name="search" value="\(filter.search)" placeholder="Search" \
            autocomplete="off">
            <input type="hidden" name="show" value="\(filter.choice)">
            <input type="hidden" name="sort" value="\(filter.order)">
            <button class="button">Search</button>
            </form>
            \(Model.choices.count > 1 ? choices : nil)
            </div>
            <section id="rows" data-live="\(filter.path("/live"))" aria-live="off">
            \(rows)
            </section>
            """
    }

    private var choices: HTML {
        let links = Model.choices.map { choice -> HTML in
            """
            <a href="\(filter.path(choosing: choice.value))"\
            \(" aria-current=\"true\"", if: choice.value == filter.choice)>\(choice.text)</a>

            """
        }
        return """
            <div class="choices" role="group" aria-label="Show">
            \(links)</div>
            """
    }

    /// Fetches the rows: the part of the page that is sent anew when it changes.
    func rows(of query: Query<Model>) async throws -> HTML {
        let count = try await query.count()
        let page = try await query.page(size: ListFilter<Model>.pageSize, after: filter.position)
        let empty: HTML = "<p class=\"empty\">Nothing is here.</p>"
        return """
            <p class="count">\(count) \(count == 1 ? Model.noun : Model.path)</p>
            \(page.objects.isEmpty ? empty : table(of: page.objects))
            <nav class="pages" aria-label="Pages">
            \(filter.position.map { _ in link(to: filter.path(choosing: filter.choice), "First page") })
            \(page.next.map { link(to: filter.path(after: $0), "Next page", " rel=\"next\"") })
            </nav>
            """
    }

    private func link(to path: String, _ text: String, _ attribute: HTML? = nil) -> HTML {
        """
        <a class="button" href="\(path)"\(attribute)>\(text)</a>
        """
    }

    private func table(of objects: [Model]) -> HTML {
        """
        <table>
        <thead>
        <tr>
        \(Model.columns.map(heading))</tr>
        </thead>
        <tbody>
        \(objects.map(row))</tbody>
        </table>
        """
    }

    private func heading(_ column: ListColumn) -> HTML {
        let secondary: HTML = " class=\"secondary\""
        guard let property = column.property else {
            return """
                <th scope="col"\(secondary, if: column.isSecondary)>\(column.title)</th>

                """
        }
        let order: HTML = """
             aria-sort="\(filter.isDescending ? "descending" : "ascending")"
            """
        let path = filter.path(sortedBy: property)
        return """
            <th scope="col"\(secondary, if: column.isSecondary)\(order, if: property == filter.sort)>\
            <a href="\(path)">\(column.title)</a></th>

            """
    }

    private func row(_ object: Model) -> HTML {
        let cells = zip(object.cells, Model.columns).map { cell, column -> HTML in
            """
            <td class="\(cell.style.rawValue)\(" secondary", if: column.isSecondary)">\(content(of: cell, object))</td>

            """
        }
        return """
            <tr>
            \(cells)</tr>

            """
    }

    private func content(of cell: ListCell, _ object: Model) -> HTML {
        switch cell.style {
        case .strong:
            """
            <a href="/\(Model.path)/\(Int(object.id ?? 0))">\(cell.text)</a>
            """
        case .badge:
            """
            <span class="tone-\(cell.tone)">\(cell.text)</span>
            """
        case .plain, .quiet: "<span>\(cell.text)</span>"
        }
    }
}
