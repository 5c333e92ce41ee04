import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// One process of a fleet: opens the database of its argument, migrates, saves one object with its arrays, and prints
/// how many steps its migration did and under which key its object is.
///
/// Run by Integration/fleet, many at a time.
@main struct Fleet {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            print("Usage: fleet URL")
            exit(2)
        }
        do {
            try await Database.withDatabase(CommandLine.arguments[1], drivers: [.sqlite, .postgres]) { db in
                let plan = try await db.migrate(Ship.self, Port.self)
                let ship = Ship(name: "ship \(ProcessInfo.processInfo.processIdentifier)")
                ship.crew = ["ann", "bob", "ann"]
                try await db.save(ship)
                print("steps \(plan.steps.count) key \(ship.id ?? 0)")
            }
        } catch {
            print(String(reflecting: error))
            exit(1)
        }
    }
}

@Table
final class Ship {
    var id: Int64?
    @Unique var name: String
    @Indexed var launched: Date?
    var crew: [String] = []

    init(name: String) { self.name = name }
}

@Table(indexes: [.index("country", "name")])
struct Port {
    @PrimaryKey var code: String
    var country: String
    var name: String
    var pilots: [String]?
}
