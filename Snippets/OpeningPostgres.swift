// The examples of the article "HoldfastPostgres".

// snippet.opening
import Holdfast
import HoldfastPostgres

let byURL = try await Database.open(.postgres(url: "postgres://app@db.example.org/catalog"))
let byParts = try await Database.open(
    .postgres(
        host: "db.example.org", user: "app", database: "catalog", schema: "shop",
        parameters: ["sslmode": "verify-full", "application_name": "shop"]))
// snippet.end
