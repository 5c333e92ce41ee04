import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Mustache

/// Makes pages from templates, which escape what they show by ``HTMLEscaping``: their first lines ask for it.
struct Renderer: Sendable {
    private let library: MustacheLibrary

    /// Reads the templates, once.
    init() async throws {
        // Before the templates are read, since that is when they look for it.
        MustacheContentTypes.register(HTMLEscaping(), named: "HTML")
        library = try await MustacheLibrary(directory: Bundle.module.bundlePath + "/templates")
    }

    /// The directory of what browsers get as it is: the style sheet and the script.
    static var publicDirectory: String { Bundle.module.bundlePath + "/public" }

    /// A part of a page.
    func fragment(_ template: String, _ view: [String: Any]) -> String {
        library.render(view, withTemplate: template) ?? ""
    }

    /// A page.
    ///
    /// - Parameters:
    ///   - template: The template of its content.
    ///   - title: Its title.
    ///   - section: The part of the navigation that it belongs to: `projects`.
    ///   - view: What the template shows.
    ///   - status: The status of the answer.
    func page(
        _ template: String, title: String, in section: String, _ view: [String: Any],
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let sections = [Project.path, Meeting.path, Person.path].map { path in
            ["path": "/\(path)", "text": path.capitalized, "isSelected": path == section] as [String: Any]
        }
        let html = fragment(
            "layout", ["title": title, "sections": sections, "content": fragment(template, view)])
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                // What others save is to be seen, also by going back to the page.
                .cacheControl: "no-store",
                .contentSecurityPolicy:
                    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    func form<Model: PageObject>(_ form: FormPage<Model>, status: HTTPResponse.Status = .ok) -> Response {
        page("form", title: form.title, in: Model.path, form.view, status: status)
    }
}
