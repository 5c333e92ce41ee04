import ArgumentParser
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// URLs are read or refused, and no piece of a password comes back in an error.
struct URLsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "urls", abstract: "Try URLs.")

    @OptionGroup var options: FuzzOptions

    func run() async throws {
        try await Trial(name: "URLs", options: options).run { number, isLong, random in
            if isLong { return URLTexts.longURL(using: &random) }
            return Self.hasPassword(number) ? URLTexts.urlWithPassword(using: &random) : URLTexts.url(using: &random)
        } _: { number, url in
            var isRead = false
            for type in [DriverType.sqlite, .postgres] {
                do {
                    _ = try type.configure(url)
                    isRead = true
                } catch {
                    let words = "\(error)\(String(reflecting: error))"
                    guard error is DatabaseError else { throw Failure("\(url.debugDescription) threw \(words)") }
                    for piece in URLTexts.secrets where Self.hasPassword(number) && words.contains(piece) {
                        throw Failure("\(piece) of \(url.debugDescription) is in: \(words)")
                    }
                }
            }
            return isRead
        }
    }

    /// Whether the URL with a number has a password.
    ///
    /// In others, the same pieces may be a parameter's name. Long ones have none.
    private static func hasPassword(_ number: Int) -> Bool { !number.isMultiple(of: 2) }
}
