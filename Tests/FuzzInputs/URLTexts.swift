/// URLs that nobody would write, some of them with passwords that must not come back in an error.
public enum URLTexts {
    /// Pieces of passwords; none is a word of a message or a parameter's name.
    public static let secrets = ["s3cret", "hunter", "Zx9", "canary", "4711", "0815", "tr0ub4dor", "qwxyz"]

    private static let reserved = [
        "@", "/", "?", "&", "=", ":", "#", "%", "%40", "%2", "[", "]", ",", " ", "'", "\\", "+", ";", "://", "\u{e9}",
        "",
    ]
    private static let tails = [
        "", "?sslmode=disable", "?schema=a&pool_size=2", "?no_such=1", "?", "?connect_timeout=x",
    ]
    private static let parts =
        secrets + reserved + tails + [
            "postgres://", "postgresql://", "sqlite:", "file:", "host=", "port=", "dbname=", "user=", "password=",
            "mode=", "ro", "\u{0}", "pool_size=", "lock_timeout=99999999999", "schema=%00", "prepared_statements=",
            "%ff", "[::1]", "%+f", "\n", "𝔘",
        ]

    /// A URL of PostgreSQL with a password that is not escaped as it should be.
    public static func urlWithPassword(using random: inout SeededGenerator) -> String {
        let secret = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            secrets.random(using: &random) + reserved.random(using: &random)
        }.joined()
        let tail = tails.random(using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: "postgres://app:\(secret)@db.example/prod\(tail)"
        case 2: "postgresql://app:\(secret)@a,b:5432/prod\(tail)"
        case 3: "postgres://db.example/prod?user=app&password=\(secret)&sslmode=disable"
        default: "postgres://db.example?user=app&password=\(secret)"
        }
    }

    /// Parts of URLs at random.
    public static func url(using random: inout SeededGenerator) -> String {
        ["", "postgres://", "sqlite:"].random(using: &random)
            + (0..<Int.random(in: 0..<12, using: &random)).map { _ in parts.random(using: &random) }.joined()
    }

    /// A URL of up to some 50 KB, in which one piece comes again and again.
    public static func longURL(using random: inout SeededGenerator) -> String {
        let piece = parts.random(using: &random)
        return url(using: &random) + String(repeating: piece, count: .random(in: 1..<4_000, using: &random))
    }
}
