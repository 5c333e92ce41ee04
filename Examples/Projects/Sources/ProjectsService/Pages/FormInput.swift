import Foundation
import Hummingbird
import HummingbirdCore

/// What was sent with a form.
struct FormInput {
    private var items: [(name: String, value: String)]

    /// Reads the body of a request.
    static func body(of request: Request) async throws -> FormInput {
        // A million characters are more than any field of ours holds.
        let buffer = try await request.body.collect(upTo: 1 << 20)
        return try FormInput(encoded: String(buffer: buffer))
    }

    /// Reads text of the type `application/x-www-form-urlencoded`.
    ///
    /// - Throws: An error with the status 400 for what no browser sends.
    init(encoded: String) throws {
        // Not by URLComponents, which ends the program where its query is not encoded well.
        func decoded(_ text: Substring) throws -> String {
            guard let value = text.replacing("+", with: "%20").removingPercentEncoding else {
                throw HTTPError(.badRequest, message: "The form is not encoded well.")
            }
            return value
        }
        items = try encoded.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (try decoded(parts[0]), parts.count > 1 ? try decoded(parts[1]) : "")
        }
    }

    /// The value of a field, without spaces around it; empty if it was not sent.
    func text(_ name: String) -> String {
        let value = items.first { $0.name == name }?.value ?? ""
        // Browsers send the ends of lines as the standard of forms says.
        return value.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The values of a field of which there are any number.
    func texts(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
