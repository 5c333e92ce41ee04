/// A named change to a database, which is made once.
///
/// ```swift
/// Migration("2026-11-24 headline") { steps in
///     steps.rename(column: "title", of: "note", to: "headline")
///     steps.sql("UPDATE note SET headline = trim(headline)")
/// }
/// ```
///
/// ``Database/migrate(_:fileID:line:)-(Schema,_,_)`` runs the migrations that a database has not had yet, and then
/// creates what the types need besides. A database without any of the tables gets these as they are now, and then those
/// steps of the migrations that make something: see ``Purpose``.
///
/// Until the types have their tables, a migration sees what an earlier version of the program left: it names tables and
/// columns as they were then. One that fills new columns, or uses types, is run afterwards:
///
/// ```swift
/// Migration("2026-11-25 codes", .afterTypes) { steps in
///     steps.sql("UPDATE note SET code = upper(headline) WHERE code IS NULL")
/// }
/// ```
///
/// Once a migration is released, do not change it; add another one.
public struct Migration: Sendable {
    /// The time at which a migration is run.
    public enum Phase: Hashable, Sendable {
        /// The migration runs first, on the tables as an earlier version of the program left them.
        case beforeTypes
        /// The migration runs when the types have all their tables and columns, as they are in this program. It may
        /// drop tables and columns that no type has, but not rename any.
        case afterTypes
    }

    /// The databases that need a migration.
    ///
    /// ```swift
    /// Migration("2026-11-26 slugs", for: .existingData) { $0.sql("INSERT INTO slug SELECT … FROM note") }
    /// Migration("2026-11-27 search", .afterTypes, for: .everyDatabase) { $0.sql("CREATE VIRTUAL TABLE …") }
    /// ```
    ///
    /// On a new database, steps that rename, convert or drop are never run, since there is nothing that they could be
    /// about.
    public enum Purpose: Hashable, Sendable {
        /// The migration is about what earlier versions have stored. A new database notes it as done and does not run
        /// it.
        case existingData
        /// The migration makes something that each database needs. A new one runs its SQL and its closures when the
        /// types have their tables, whatever the phase.
        case everyDatabase
    }

    /// The name of the migration, which the database remembers.
    public let id: String
    /// The time at which it is run.
    public let phase: Phase
    /// The databases that need it; nil if the steps tell.
    ///
    /// Those of a migration that runs ``Phase/afterTypes`` are run on new databases, too: it finds there what it finds
    /// in databases that have missed some versions. Of one that runs before, UPDATE, DELETE and DROP are not run on
    /// new databases; if it has other SQL or a closure, `migrate` of a new database throws
    /// ``DatabaseError/Code/conflict`` until this says whether they need it. The same goes for an UPDATE, DELETE or
    /// DROP that follows a migration which makes something, and might be about that.
    ///
    /// It can be added to a migration that databases have had.
    public let purpose: Purpose?
    /// Whether programs that do not list the migration can go on with a database that has had it.
    ///
    /// ```swift
    /// Migration("2026-11-28 words", .afterTypes, isAdditive: true) { $0.sql("UPDATE note SET words = 0") }
    /// ```
    ///
    /// Otherwise they are refused, unless ``Schema/acceptsProgramsFrom`` accepts their version. It is noted when the
    /// migration is run.
    public let isAdditive: Bool
    let steps: [Step]

    /// Creates a migration.
    ///
    /// ```swift
    /// Migration("2026-11-24 memo") { steps in
    ///     steps.rename(table: "note", to: "memo")
    ///     steps.drop(column: "draft", of: "memo")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The name: anything that no other migration of the program has, such as a date and a word.
    ///   - phase: Whether it is run before or after the types get their tables.
    ///   - purpose: The databases that need it; nil if the steps tell.
    ///   - isAdditive: Whether earlier programs, which do not list it, can go on with a database that has had it.
    ///   - build: Lists the steps, in their order.
    public init(
        _ id: String, _ phase: Phase = .beforeTypes, for purpose: Purpose? = nil, isAdditive: Bool = false,
        _ build: (inout Steps) -> Void
    ) {
        var steps = Steps()
        build(&steps)
        self.init(id, phase, purpose, isAdditive, steps.steps)
    }

    init(_ id: String, _ phase: Phase, _ purpose: Purpose?, _ isAdditive: Bool, _ steps: [Step]) {
        (self.id, self.phase, self.purpose, self.isAdditive, self.steps) = (id, phase, purpose, isAdditive, steps)
    }

    enum Step: Sendable {
        case renameTable(String, to: String)
        case renameColumn(String, table: String, to: String)
        case changeType(String, table: String, to: ColumnType, using: SQLFragment?)
        case dropTable(String)
        case dropColumn(String, table: String)
        case sql(SQLFragment)
        case data(@Sendable (Transaction) async throws -> Void)

        /// The tables that it names.
        var tables: [String] {
            switch self {
            case .renameTable(let table, let name): [table, name]
            case .renameColumn(_, let table, _), .changeType(_, let table, _, _), .dropTable(let table),
                .dropColumn(_, let table):
                [table]
            case .sql, .data: []
            }
        }
    }

    /// The steps of a migration, in the order in which they are listed.
    public struct Steps {
        fileprivate(set) var steps: [Step] = []

        /// Renames a table; its rows stay.
        ///
        /// The indexes that Holdfast has named after it are renamed too, and the delete rules of the types are made
        /// again. Join tables have names of their own.
        ///
        /// ```sql
        /// ALTER TABLE "note" RENAME TO "memo"
        /// ```
        public mutating func rename(table: String, to name: String) { steps.append(.renameTable(table, to: name)) }

        /// Renames a column; its values stay.
        ///
        /// ```sql
        /// ALTER TABLE "note" RENAME COLUMN "title" TO "headline"
        /// ```
        public mutating func rename(column: String, of table: String, to name: String) {
            steps.append(.renameColumn(column, table: table, to: name))
        }

        /// Gives a column another type; its values are converted.
        ///
        /// ```swift
        /// steps.changeType(of: "price", in: "item", to: .decimal, using: "CAST(trim(price) AS numeric)")
        /// ```
        /// ```sql
        /// ALTER TABLE "item" ALTER COLUMN "price" TYPE numeric USING CAST(trim(price) AS numeric)  -- PostgreSQL
        /// ```
        ///
        /// SQLite, which alters no columns, gets a new column in place of the old one, at the end of the table. Indexes
        /// of the column are dropped; `migrate` creates those that the types need.
        ///
        /// - Parameters:
        ///   - column: The column.
        ///   - table: Its table.
        ///   - type: The new type.
        ///   - value: An SQL expression that computes the new value from the row; every engine that you use must
        ///     understand it. Leave it out if the new type holds every value of the old one, as `.int64` does for
        ///     `.int32`.
        public mutating func changeType(
            of column: String, in table: String, to type: ColumnType, using value: SQLFragment? = nil
        ) {
            steps.append(.changeType(column, table: table, to: type, using: value))
        }

        /// Drops a table with its rows.
        ///
        /// It is refused while another table refers to it.
        ///
        /// ```sql
        /// DROP TABLE "note"
        /// ```
        public mutating func drop(table: String) { steps.append(.dropTable(table)) }

        /// Drops a column with its values, and the indexes that it is part of.
        ///
        /// SQLite can't drop a column that has a foreign key: that throws ``DatabaseError/Code/unsupported``.
        ///
        /// ```sql
        /// ALTER TABLE "note" DROP COLUMN "title"
        /// ```
        public mutating func drop(column: String, of table: String) {
            steps.append(.dropColumn(column, table: table))
        }

        /// Runs a statement of yours.
        ///
        /// Interpolated values are bound.
        ///
        /// ```swift
        /// steps.sql("UPDATE note SET rank = \(1) WHERE rank IS NULL")
        /// ```
        public mutating func sql(_ sql: SQLFragment) { steps.append(.sql(sql)) }

        /// Runs a closure with the transaction of the migration.
        ///
        /// ```swift
        /// steps.data { tx in
        ///     for title in try await tx.sql("SELECT title FROM note").fetch(as: String.self) {
        ///         try await tx.sql("UPDATE note SET slug = \(slug(of: title)) WHERE title = \(title)").execute()
        ///     }
        /// }
        /// ```
        ///
        /// The whole migration may be rolled back and run again, with the closure, if others hold a table that it
        /// needs: so the closure should change nothing but the database.
        ///
        /// Use types only ``Phase/afterTypes``. Before, read and write by ``DatabaseContext/sql(_:fileID:line:)``,
        /// since a type may need columns that do not exist yet.
        public mutating func data(_ body: @escaping @Sendable (Transaction) async throws -> Void) {
            steps.append(.data(body))
        }
    }

    /// A hash of the steps, by which a migration is recognized that was changed after it had run.
    ///
    /// Closures count only by their places. Which databases and programs are meant does not count.
    var checksum: String {
        let texts = steps.map { step in
            switch step {
            case .renameTable(let table, let name): "rename table \(table) to \(name)"
            case .renameColumn(let column, let table, let name): "rename column \(column) of \(table) to \(name)"
            case .changeType(let column, let table, let type, let value):
                "change type of \(column) in \(table) to \(type) using \(value?.checkedText ?? "")"
            case .dropTable(let table): "drop table \(table)"
            case .dropColumn(let column, let table): "drop column \(column) of \(table)"
            case .sql(let fragment): "sql \(fragment.checkedText)"
            case .data: "data"
            }
        }
        return Naming.hash(((phase == .afterTypes ? ["after types"] : []) + texts).joined(separator: "\n"))
    }

    /// Refuses steps by which tables would not be those of the types any more.
    func checkLateSteps() throws {
        for step in steps {
            switch step {
            case .renameTable, .renameColumn, .changeType:
                throw DatabaseError(
                    .unsupported,
                    "The migration \"\(id)\" renames or changes columns after the types have got theirs. Do this in a "
                        + "migration that runs before. Nothing was changed.")
            case .dropTable, .dropColumn, .sql, .data: continue
            }
        }
    }

    /// The tables that the steps name.
    var tables: [String] { steps.flatMap(\.tables) }
}

extension SQLFragment {
    /// The words and symbols of the text, in lower case.
    var words: [String] { RawStatementText(text).parts }

    /// The text and the values, as far as a checksum needs them.
    var checkedText: String {
        text + " " + parameters.buffer.cells.map { "\($0.kind) \($0.payload)" }.joined(separator: ",")
            + " " + String(decoding: parameters.buffer.bytes, as: UTF8.self)
    }

    private var text: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name(let name): "\"\(name)\""
            case .table(let table): (table.schema.map { "\"\($0)\"." } ?? "") + "\"\(table.name)\""
            case .parameter: "?"
            case .emptyList: "()"
            }
        }.joined()
    }
}
