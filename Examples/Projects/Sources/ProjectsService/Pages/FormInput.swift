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
        return FormInput(encoded: String(buffer: buffer))
    }

    /// Reads text of the type `application/x-www-form-urlencoded`.
    init(encoded: String) {
        var components = URLComponents()
        components.percentEncodedQuery = encoded.replacing("+", with: "%20")
        items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
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
