import Foundation
import Holdfast

/// A page of a list.
struct ListPage<Model: PageObject> {
    let filter: ListFilter<Model>

    init(_ filter: ListFilter<Model>) { self.filter = filter }

    /// The rows as HTML: the part of the page that is sent anew when it changes.
    func rows(of query: Query<Model>, by renderer: Renderer) async throws -> String {
        let count = try await query.count()
        let page = try await query.page(size: ListFilter<Model>.pageSize, after: filter.position)
        var view: [String: Any] = [
            "count": count, "noun": count == 1 ? Model.noun : Model.path, "isEmpty": page.objects.isEmpty,
            "headings": Model.columns.map(heading),
            "rows": page.objects.map { object in
                ["path": "/\(Model.path)/\(object.id ?? 0)", "cells": cells(of: object)] as [String: Any]
            },
        ]
        if let next = page.next { view["next"] = filter.path(after: next) }
        if filter.position != nil { view["first"] = filter.path(choosing: filter.choice) }
        return renderer.fragment("rows", view)
    }

    /// The page around the rows.
    func view(rows: String) -> [String: Any] {
        var view: [String: Any] = [
            "title": Model.path.capitalized, "rows": rows, "path": "/\(Model.path)", "live": filter.path("/live"),
            "noun": Model.noun,
            "search": filter.search, "show": filter.choice, "sort": filter.order,
            "canCreate": Model.isCreatedFromList,
        ]
        if Model.choices.count > 1 {
            let links = Model.choices.map { choice in
                [
                    "text": choice.text, "path": filter.path(choosing: choice.value),
                    "isSelected": choice.value == filter.choice,
                ] as [String: Any]
            }
            view["choices"] = ["links": links]
        }
        return view
    }

    private func heading(_ column: ListColumn) -> [String: Any] {
        var view: [String: Any] = ["title": column.title, "isSecondary": column.isSecondary]
        if let property = column.property {
            view["path"] = filter.path(sortedBy: property)
            if property == filter.sort { view["order"] = filter.isDescending ? "descending" : "ascending" }
        }
        return view
    }

    private func cells(of object: Model) -> [[String: Any]] {
        zip(object.cells, Model.columns).map { cell, column in
            [
                "text": cell.text, "title": column.title, "style": cell.style.rawValue, "tone": cell.tone,
                "isLink": cell.style == .strong, "isSecondary": column.isSecondary,
            ]
        }
    }
}
