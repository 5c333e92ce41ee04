internal import CPostgres
import Holdfast

/// The syntax of libpq's connection strings.
enum ConnectionString {
    /// Takes a URL or `key=value` string apart, as libpq does.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``. libpq's own words would quote the string, password and all.
    static func parse(_ string: String) throws(DatabaseError) -> [(keyword: String, value: String)] {
        var message: UnsafeMutablePointer<CChar>?
        if string.allSatisfy(\.isWhitespace) { throw .emptyURL }
        // A string without "=" and scheme is the name of a database, which PQconninfoParse doesn't take.
        guard string.contains("=") || string.contains("://") else { return [("dbname", string)] }
        let options = PQconninfoParse(string, &message)
        defer {
            PQconninfoFree(options)
            PQfreemem(message)
        }
        guard let options else {
            let form = "postgres://user:password@host:port/database?parameter=value"
            throw .malformedURL("The database URL is not of the form \(form). \(encoding)")
        }
        return values(options) { $0.val }
    }

    /// Whether libpq knows a parameter of that name in a URL.
    static func isKnown(_ keyword: String) -> Bool {
        // "ssl=true" is JDBC's spelling, which libpq takes in URLs.
        if keyword == "ssl" { return true }
        guard let options = PQconndefaults() else { return true }
        defer { PQconninfoFree(options) }
        var option = options
        while let name = option.pointee.keyword {
            if keyword == String(cString: name) { return true }
            option += 1
        }
        return false
    }

    private static func values(
        _ options: UnsafeMutablePointer<PQconninfoOption>,
        _ value: (PQconninfoOption) -> UnsafeMutablePointer<CChar>?
    ) -> [(keyword: String, value: String)] {
        var result: [(keyword: String, value: String)] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = value(option.pointee) {
                result.append((String(cString: keyword), String(cString: value)))
            }
            option += 1
        }
        return result
    }

    /// Where the parameters of a URL are, after the question mark; nil if it isn't a URL or has none.
    static func queryRange(of string: String) -> Range<String.Index>? {
        guard let scheme = string.firstRange(of: "://"), isURL(string) else { return nil }
        // As libpq sees it, what stands before an "@" is user and password, whatever characters it has.
        let rest = string[scheme.upperBound...]
        var start = rest.startIndex
        if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" { start = end }
        guard let mark = rest[start...].firstIndex(of: "?") else { return nil }
        return string.index(after: mark)..<string.endIndex
    }

    /// Whether the parts of a URL in which libpq sees host, database and parameters may be the rest of a password:
    /// there
    /// is an "@" behind what libpq takes for the end of user and password, or what it takes for these has a "?" or "#".
    static func mayHideSecret(_ string: String) -> Bool {
        guard isURL(string), let scheme = string.firstRange(of: "://") else { return false }
        let rest = string[scheme.upperBound...]
        guard let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }) else { return false }
        if rest[end] == "@", rest[..<end].contains(where: { $0 == "?" || $0 == "#" }) { return true }
        return rest[rest.index(after: end)...].contains("@")
    }

    /// The advice for a URL that was understood otherwise than it was meant.
    static let encoding =
        "Reserved characters in user, password and other parts must be percent-encoded: "
        + "\"@\" is %40, \"/\" is %2F, \"?\" is %3F, \"&\" is %26, \"%\" is %25."
    /// The advice where a URL may have been understood otherwise than it was meant.
    static let doubt =
        "Its host and port are not shown, since the database URL has an \"@\" or \"?\" that may belong "
        + "to user or password. \(encoding)"

    static func isURL(_ string: String) -> Bool {
        string.hasPrefix("postgres://") || string.hasPrefix("postgresql://")
    }
}
