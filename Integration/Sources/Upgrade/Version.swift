import Holdfast

/// One version of the program: its schema, and the names that rows have in it.
struct Version {
    static let last = 20

    let number: Int

    /// The class of accounts.
    var account: any TableObject.Type {
        switch number {
        case 1: Account.Since1.self
        case 2: Account.Since2.self
        case 3: Account.Since3.self
        case 4: Account.Since4.self
        case 5: Account.Since5.self
        case 6: Account.Since6.self
        case 7: Account.Since7.self
        case 8: Account.Since8.self
        case 9: Account.Since9.self
        case 10: Account.Since10.self
        case 11: Account.Since11.self
        case 12: Account.Since12.self
        case 13: Account.Since13.self
        case 14: Account.Since14.self
        case 15: Account.Since15.self
        case 16: Account.Since16.self
        case 17: Account.Since17.self
        case 18, 19: Account.Since18.self
        default: Account.Since20.self
        }
    }

    var schema: Schema {
        var allowed: [SchemaLoss] = []
        if number >= 10 { allowed.append(.requiring(column: "note", of: "customer")) }
        if number >= 16 { allowed.append(.dropping(column: "ratio", of: "customer")) }
        var migrations: [Migration] = []
        if number >= 14 {
            migrations.append(
                Migration("14 codes", .afterTypes) { $0.sql("UPDATE customer SET code = 'c' || id WHERE code IS NULL") }
            )
        }
        if number >= 19 {
            migrations.append(
                Migration("19 open", .afterTypes) { $0.sql("UPDATE posting SET is_open = TRUE WHERE is_open IS NULL") })
        }
        return Schema(types: [account], migrations: migrations, allowing: allowed, version: number)
    }

    // MARK: Names in the database

    var table: String { number < 8 ? "account" : "customer" }
    var title: String { number < 4 ? "name" : "title" }
    var entry: String { number < 18 ? "entry" : "posting" }
    var body: String { number < 9 ? "text" : "body" }
    /// The join table of entries, and its columns.
    var entries: String { number < 18 ? "\(table)_entries" : "\(table)_postings" }
    var tags: String { number < 12 ? "\(table)_tags" : "\(table)_labels" }
    var hasNote: Bool { number >= 2 }
    var hasTags: Bool { number >= 6 }
    var hasRatio: Bool { number < 16 }
    var hasCode: Bool { number >= 14 }
}
