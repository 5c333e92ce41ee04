import Foundation

/// Tokens of pages that were changed on their way.
public enum PageTokens {
    /// A token, with some of its bits or bytes changed, some of it lost, or nothing of it left.
    ///
    /// - Parameters:
    ///   - token: What a page said of the next one.
    ///   - number: The number of the change, whose kind it decides.
    /// - Returns: The new token, and whether it is too short to stand for a place.
    public static func altered(
        _ token: String, number: Int, using random: inout SeededGenerator
    ) -> (token: String, isCut: Bool) {
        var bytes = bytes(of: token)
        switch number % 4 {
        case 0:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 1: bytes = bytes.prefix(.random(in: 0..<bytes.count, using: &random))
        case 2: bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        default: bytes = randomBytes(upTo: 80, using: &random)
        }
        return (Self.token(of: bytes), number % 4 == 1)
    }

    /// A token of up to some 50 KB that stands for nothing.
    public static func longToken(using random: inout SeededGenerator) -> String {
        token(of: randomBytes(upTo: 40_000, using: &random))
    }

    private static func randomBytes(upTo count: Int, using random: inout SeededGenerator) -> Data {
        var bytes = Data()
        for _ in 0..<Int.random(in: 0..<count, using: &random) { bytes.append(.random(in: 0...255, using: &random)) }
        return bytes
    }

    private static func token(of bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(of token: String) -> Data {
        let text = token.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data([0])
    }
}
