import Holdfast

/// A model over a table that somebody else made, with columns that hold more than its properties do.
@Table("loose")
struct LooseRow: Equatable {
    let id: Int64
    var number: Int8
    var mood: Mood
    var ratio: Double

    /// Opens a database with that table and one row, whose values are given as SQL.
    static func open(
        _ environment: ConformanceEnvironment,
        _ number: String,
        _ mood: String,
        _ ratio: String,
        ratioType: String = "double precision"
    ) async throws -> Database {
        let db = try await environment.open()
        try await db.sql(
            """
            CREATE TABLE loose (
                id bigint PRIMARY KEY NOT NULL, number bigint, mood text, ratio \(unsafe: ratioType)
            )
            """
        ).execute()
        try await db.sql(
            "INSERT INTO loose VALUES (1, \(unsafe: number), \(unsafe: mood), \(unsafe: ratio))"
        ).execute()
        return db
    }
}
