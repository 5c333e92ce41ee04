import Foundation

/// Standard output, for people or for machines.
enum Output {
    /// Prints a value's description, or the value as JSON.
    static func print(_ value: some Encodable & CustomStringConvertible, asJSON: Bool) throws {
        if asJSON {
            try printJSON(value)
        } else {
            Swift.print(value)
        }
    }

    /// Prints a value as JSON, its keys in alphabetical order.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
