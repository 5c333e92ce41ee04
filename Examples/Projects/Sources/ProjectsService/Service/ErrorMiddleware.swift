import Holdfast
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging

/// Answers requests that failed: with the status that the error stands for, and nothing of what it says about tables.
struct ErrorMiddleware: RouterMiddleware {
    /// The statuses that errors of the database have.
    private static let statuses: [HTTPResponse.Status] = [
        .notFound, .conflict, .gone, .unprocessableContent, .serviceUnavailable, .gatewayTimeout,
        .init(
            code: 507, reasonPhrase: "Insufficient Storage"),
    ]

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch let error as DatabaseError {
            // What the caller did wrong needs no operator.
            let level: Logger.Level = error.httpStatus < 500 ? .info : .error
            context.logger.log(
                level: level, "The request failed.",
                metadata: [
                    "error": "\(error)", "hb.request.method": "\(request.method)",
                    "hb.request.path": "\(request.uri.path)",
                ])
            // A status that is made of a number alone has no reason phrase.
            return response(to: request, Self.statuses.first { $0.code == error.httpStatus } ?? .internalServerError)
        } catch let error as HTTPError {
            return response(to: request, error.status, error.body)
        }
    }

    private func response(
        to request: Request, _ status: HTTPResponse.Status, _ message: String? = nil
    ) -> Response {
        var response: Response
        if request.uri.path.hasPrefix("/api/") {
            let text = #"{"error":{"status":\#(status.code),"reason":"\#(status.reasonPhrase)"}}"#
            response = Response(
                status: status, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        } else {
            let content: HTML = """
                <h1>\(status.reasonPhrase)</h1>
                <p>\(message ?? sentence(status))</p>
                <p class="quiet">Status \(status.code)</p>
                """
            response = PageLayout.page(content, title: status.reasonPhrase, in: "", status: status)
        }
        // Nothing was done: load balancers and clients may send it again.
        if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        return response
    }

    private func sentence(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 404: "There is nothing here, or not any more."
        case 409: "Somebody else has changed this meanwhile."
        case 503: "The database can't be reached just now. Nothing was changed; try again in a moment."
        case 500...: "Something went wrong. Look whether your change was made before you try again."
        default: "The request can't be answered."
        }
    }
}
