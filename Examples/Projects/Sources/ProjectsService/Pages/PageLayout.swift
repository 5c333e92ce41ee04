import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// What all pages have around their content.
enum PageLayout {
    /// The directory of what browsers get as it is: the style sheet and the script.
    static var publicDirectory: String { Bundle.module.bundlePath + "/public" }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - content: What is between the navigation and the end.
    ///   - title: The title of the window.
    ///   - section: The part of the navigation that the page belongs to: `projects`.
    ///   - status: The status of the answer.
    static func page(
        _ content: HTML, title: String, in section: String, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                // What others save is to be seen, also by going back to the page.
                .cacheControl: "no-store",
                .contentSecurityPolicy:
                    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html(content, title: title, in: section).text)))
    }

    private static func html(_ content: HTML, title: String, in section: String) -> HTML {
        let links = [Project.path, Meeting.path, Person.path].map { path -> HTML in
            """
            <a href="/\(path)"\(" aria-current=\"page\"", if: path == section)>\(path.capitalized)</a>

            """
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title) · Projects</title>
            <link rel="icon" href="/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/style.css">
            <script src="/live.js" defer></script>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <header class="bar">
            <a class="brand" href="/projects">Projects</a>
            <nav aria-label="Main">
            \(links)</nav>
            </header>
            <p id="connection" class="connection" role="status" hidden>The connection is lost. Trying again …</p>
            <main id="content" tabindex="-1">
            \(content)
            </main>
            </body>
            </html>

            """
    }
}
