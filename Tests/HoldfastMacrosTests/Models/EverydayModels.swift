import Foundation
import Holdfast

enum Status: String, Storable { case planned, running, done }

/// A value that is kept as JSON.
struct Address: Codable, Equatable {
    var street: String
    var lines: [Int]
}

@Table("projects", naming: .snakeCase, indexes: [.index("name", "startDate"), .unique("code", "status")])
final class Project {
    var id: Int64?
    var name: String
    @Unique var code: String?
    @Indexed var startDate: Date?
    var budget: Decimal = 0
    var status: Status = .planned
    var tags: [String] = []
    var scores: [Int]?
    var address: Address?
    var count = 0
    @Required var owner: String?
    @Column("legacy_at", storage: .secondsSince2001) var at: Date?
    @Column(storage: .scaled(2)) var price: Decimal = 1.5
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var modifiedAt: Date?
    @Transient var draft = ""
    @Transient lazy var cache = [String: Int]()

    var isRunning: Bool { status == .running }
    static let all = "all"

    init(name: String) { self.name = name }
}

@Table
struct Point: Codable, Hashable {
    let id: UUID
    var x = 0.0
    var y: Double?
    @Transient var label = "unnamed"
}

@Table
struct Membership: Equatable {
    @PrimaryKey let team: Int64
    @PrimaryKey let member: String
    var since: Date
}

/// A class that only has the initializer that Swift gives to classes whose properties have defaults.
@Table
final class Counter {
    var id: Int64?
    var value = 0
}

enum Namespace {
    @Table
    final class Thing {
        var id: Int64?
        var name = "thing"

        @Table
        struct Part {
            let id: Int64
        }
    }
}
