// The examples of the article "HoldfastDocuments".

// snippet.settings
import Foundation
import Holdfast
import HoldfastDocuments
import HoldfastSQLite
// snippet.hide

let db = try await Database.open(.sqlite(.inMemory))
// snippet.show

try await db.documents.migrate()  // once, when the program starts; or name Document in your schema
let settings = db.documents["settings"]
try await settings.set(["theme": "dark", "sizes": [12, 14]] as JSON, for: "ann")
let theme = try await settings.get("ann", as: JSON.self)?["theme"]?.string
// snippet.end

// snippet.profile
struct Profile: Codable {
    var name: String
    var born: Date?
    var prices: [Decimal] = []
}
// snippet.end

func queryPeople(db: Database) async throws {
    // snippet.queries
    let people = db.documents["people"]
    let query = people.where { $0["address.city"] == "Bonn" && $0["age", as: Int.self].in(18...65) }
        .order { [$0["age", as: Int.self].descending, $0.key.ascending] }
    let keys = try await query.documentKeys()
    let page = try await query.page(size: 50)
    let count = try await people.where { $0.has("address") && $0["address", as: String.self] == nil }.count()
    // snippet.end
    _ = (keys, page, count)
}

func queryStaff(db: Database) async {
    // snippet.declared-paths
    let staff = db.documents["people", ["name": .text, "address.city": .text, "age": .integer, "notes": .anything]]
    let adults = staff.query.where("value.age > 17").order(by: [.descending("value.age")])
    let nobody = try? await staff.where { $0["adress.city"] == "Bonn" }.count()
    // A query names the path "adress.city", which the table does not declare. Did you mean "address.city"?
    // snippet.end
    _ = (adults, nobody)
}

func changeGreenPaints(db: Database) async throws {
    // snippet.value-property
    let green = db.documents["paints"].where { $0.value.json("tags", contains: "green") }
    try await green.update { $0.value.setJSON("price", to: 12) }
    // snippet.end
}

func indexCities(db: Database) async throws {
    // snippet.index
    try await db.documents.migrate(indexes: [.path("address.city", as: String.self)])
    // snippet.end
}

func startSession(db: Database) async throws {
    // snippet.expiry
    try await db.documents["sessions"].set(["user": "ann"] as JSON, for: "a1b2", expiresAt: Date.now + 3_600)
    // snippet.end
}

func countVisit(db: Database) async throws {
    // snippet.unchanged
    let counters = db.documents["counters"]
    while let document = try await counters.document("visits") {
        let value: JSON = ["count": JSON((document.value["count"]?.integer ?? 0) + 1)]
        do {
            try await counters.set(value, ifUnchangedSince: document)
            break
        } catch let error as DatabaseError where error.code == .staleVersion {
            continue  // somebody else was faster: read it again
        }
    }
    // snippet.end
}

// snippet.references
final class Company: DocumentObject {
    static let documentTable = "companies"
    var documentKey: String
    var name: String
    var parent: DocumentReference<Company>?
    var subsidiaries: [DocumentReference<Company>] = []

    init(_ key: String, name: String) { (documentKey, self.name) = (key, name) }
}

func rename(_ db: Database) async throws {
    guard let company = try await db.documents.load(Company.self, "acme") else { return }
    for reference in company.subsidiaries {
        switch reference.target {
        case .object(let subsidiary): subsidiary.name = "ACME \(subsidiary.name)"
        case .missing, .notLoaded: print("there is no company", reference.key)
        }
    }
    try await db.documents.save(company)  // all of them, in one transaction
}
// snippet.end
