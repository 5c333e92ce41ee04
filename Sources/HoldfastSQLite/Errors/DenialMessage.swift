@_spi(Driver) import Holdfast

/// The message of a delete rule's trigger when it refuses a deletion: all that SQLite lets it report.
///
/// ```
/// holdfast delete rule "holdfast_project_lead_deny" "project" "lead_id"
/// ```
struct DenialMessage: Equatable {
    var constraint: String
    var table: String
    /// The columns of the reference.
    var columns: [String]

    private static let beginning = "holdfast delete rule"

    init(constraint: String, table: String, columns: [String]) {
        self.constraint = constraint
        self.table = table
        self.columns = columns
    }

    /// Reads a message; nil for one that is another's.
    init?(_ message: String) {
        guard message.hasPrefix(Self.beginning) else { return nil }
        // Names in quotes, with those inside them doubled: so every other piece, and an empty one between two quotes.
        var names: [String] = []
        var isInside = false
        var follows = false
        for piece in message.dropFirst(Self.beginning.count).split(separator: "\"", omittingEmptySubsequences: false) {
            if isInside, follows {
                names[names.count - 1] += "\"" + piece
            } else if isInside {
                names.append(String(piece))
            }
            follows = !isInside && piece.isEmpty
            isInside.toggle()
        }
        guard names.count > 2 else { return nil }
        self.init(constraint: names[0], table: names[1], columns: Array(names[2...]))
    }

    var text: String {
        ([constraint, table] + columns).reduce(into: Self.beginning) { text, name in
            text += " " + SQLiteDialect().quoted(name)
        }
    }
}
