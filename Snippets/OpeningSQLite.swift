// The examples of the article "HoldfastSQLite".

// snippet.opening
import Foundation
import Holdfast
import HoldfastSQLite

let db = try await Database.open(.sqlite(path: "catalog.db"))
let readOnly = try await Database.open(.sqlite(path: "catalog.db", mode: .readOnly))
let private_ = try await Database.open(.sqlite(.inMemory))

let url = ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "sqlite:catalog.db?synchronous=normal"
let chosen = try await Database.open(url, drivers: [.sqlite])
// snippet.end
