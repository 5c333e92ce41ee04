import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Refuses changes that a page of another site sends by somebody's browser.
///
/// Every current browser says where a request comes from: https://www.w3.org/TR/fetch-metadata/
struct SameOriginMiddleware: RouterMiddleware {
    /// The header that says where a request comes from; an optional only because names are checked.
    static let header = HTTPField.Name("Sec-Fetch-Site")

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let site = Self.header.flatMap { request.headers[$0] }
        if request.method != .get, request.method != .head, let site, site != "same-origin", site != "none" {
            throw HTTPError(.forbidden, message: "The request comes from another site.")
        }
        // Browsers say so to sites that they trust: by https, and on this machine. To others, they name the origin.
        if request.method != .get, request.method != .head, site == nil, let origin = request.headers[.origin],
            origin.split(separator: "/").last.map(String.init) != request.head.authority
        {
            throw HTTPError(.forbidden, message: "The request comes from another site.")
        }
        return try await next(request, context)
    }
}
