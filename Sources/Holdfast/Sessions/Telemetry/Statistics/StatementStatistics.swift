/// The statements of a database that took longest in all, by their shapes.
///
/// ```swift
/// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
///     $0.telemetry.statementStatisticsLimit = 100
/// }
/// let db = try await Database.open(configuration)
/// // … and later
/// print(db.statementStatistics)
/// ```
///
/// Statements of the same text have the same shape, whatever values are bound to it.
public struct StatementStatistics: Sendable, CustomStringConvertible {
    /// The statements of one text.
    public struct Shape: Sendable {
        /// The text, with placeholders.
        ///
        /// That of raw SQL is in lower case, with a question mark in place of each literal, unless values are shown.
        public internal(set) var sql: String
        /// The command, `SELECT`; `BATCH INSERT` for a statement that was run for several rows, `FETCH` for rows that
        /// were read of a stream; nil if the text does not tell.
        public internal(set) var operation: String?
        /// The table that the statements are about; nil if there are several.
        public internal(set) var table: String?
        /// How many have run.
        public internal(set) var count: Int
        /// How many of them have failed.
        public internal(set) var failureCount: Int
        /// How many rows they returned, or changed, in all.
        public internal(set) var rowCount: Int
        /// How long they took in all.
        public internal(set) var total: Duration
        /// How long the slowest took.
        public internal(set) var maximum: Duration
        /// How long 99 of 100 took at most; at most an eighth too long.
        public internal(set) var p99: Duration
        /// Who called them, those that called most often first: no more than four.
        public internal(set) var callers: [Caller]
    }

    /// A place in the program that ran statements.
    public struct Caller: Sendable, CustomStringConvertible {
        /// The file and line: `App/Import.swift:7`.
        public internal(set) var callSite: String
        /// How many statements it ran.
        public internal(set) var count: Int

        public var description: String { "\(callSite) (\(count))" }
    }

    /// The shapes that took longest in all, those first; at most
    /// ``DatabaseConfiguration/Telemetry/statementStatisticsLimit``.
    public internal(set) var shapes: [Shape]
    /// How many statements of shapes that are not kept have run.
    public internal(set) var otherCount: Int
    /// How long those took in all.
    public internal(set) var otherTotal: Duration

    /// A table of the shapes; times are in milliseconds.
    ///
    /// ```text
    ///    count     total      p99      max       rows   failed  statement
    ///     1204    240.13     0.41     3.72       1204        0  SELECT "id", "name" FROM "project" WHERE "id" = $1
    ///                                                           App/Import.swift:7 (1200), App/List.swift:31 (4)
    /// ```
    public var description: String {
        var lines = [Self.line(["count", "total", "p99", "max", "rows", "failed"]) + "  statement"]
        for shape in shapes {
            let numbers = [
                "\(shape.count)", Self.milliseconds(shape.total), Self.milliseconds(shape.p99),
                Self.milliseconds(shape.maximum), "\(shape.rowCount)", "\(shape.failureCount)",
            ]
            lines.append("\(Self.line(numbers))  \(Self.oneLine(shape.sql))")
            guard !shape.callers.isEmpty else { continue }
            let callers = shape.callers.map(\.description).joined(separator: ", ")
            lines.append("\(Self.line(Array(repeating: "", count: numbers.count)))  \(callers)")
        }
        if otherCount > 0 {
            lines.append("\(Self.line(["\(otherCount)", Self.milliseconds(otherTotal), "", "", "", ""]))  others")
        }
        return lines.joined(separator: "\n")
    }

    private static let widths = [8, 10, 9, 9, 11, 9]
    private static let longestText = 120

    private static func line(_ cells: [String]) -> String {
        zip(widths, cells).map { width, cell in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }.joined()
    }

    private static func oneLine(_ sql: String) -> String {
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= longestText ? line : line.prefix(longestText - 1) + "…"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let hundredths = Int64((duration / .microseconds(10)).rounded())
        let rest = String(hundredths % 100)
        return "\(hundredths / 100).\(rest.count < 2 ? "0" : "")\(rest)"
    }
}

extension Database {
    /// The statements that took longest in all, since the database was opened or ``resetStatementStatistics()`` was
    /// called.
    ///
    /// ```swift
    /// for shape in db.statementStatistics.shapes.prefix(10) { print(shape.total, shape.count, shape.sql) }
    /// ```
    ///
    /// It is empty unless ``DatabaseConfiguration/Telemetry/statementStatisticsLimit`` is set. Nothing is sent to the
    /// server.
    public var statementStatistics: StatementStatistics {
        core.observer.statistics?.statistics ?? StatementStatistics(shapes: [], otherCount: 0, otherTotal: .zero)
    }

    /// Forgets the statistics of statements, and begins anew.
    public func resetStatementStatistics() { core.observer.statistics?.reset() }
}
