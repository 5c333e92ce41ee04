import Foundation
import Holdfast

/// A class with several unique keys, both timestamps, an array and references.
@Table(indexes: [.unique("realm", "login")])
final class Member {
    var id: Int64?
    @Unique var email: String?
    var realm: String
    var login: String
    var visits: Int
    var note: String?
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var modifiedAt: Date?
    var labels: [String] = []
    var sponsor: Member?
    @Relation(inverse: \Member.sponsor, loading: .eager) var sponsored: [Member] = []

    init(_ email: String?, realm: String = "r", login: String? = nil, visits: Int = 1, note: String? = nil) {
        self.email = email
        self.realm = realm
        self.login = login ?? email ?? UUID().uuidString
        self.visits = visits
        self.note = note
    }
}

/// A class whose objects make their keys themselves.
@Table
final class Device {
    var id = UUID()
    @Unique var serial: String
    var name: String

    init(_ serial: String, name: String) {
        self.serial = serial
        self.name = name
    }
}

/// An object of a device.
@Table
final class Reading {
    var id: Int64?
    var device: Device
    var value: Double

    init(_ device: Device, _ value: Double) {
        self.device = device
        self.value = value
    }
}

/// A class of which not everything can be set.
@Table
final class Voucher {
    @PrimaryKey let number: Int64
    @Unique var code: String
    var rank: Int
    let series: String

    init(_ number: Int64, _ code: String, rank: Int, series: String = "s") {
        self.number = number
        self.code = code
        self.rank = rank
        self.series = series
    }
}

/// A class that knows some values of a column only.
@Table
final class Reader {
    enum Level: String, Storable { case silver, gold }

    var id: Int64?
    @Unique var name: String
    var visits = 0
    var level: Level

    init(_ name: String, _ level: Level) {
        self.name = name
        self.level = level
    }
}

/// A unique key of which a reference is a part.
@Table(indexes: [.unique("device", "row")])
final class Seating {
    var id: Int64?
    var device: Device
    var row: Int
    var guest: String

    init(_ device: Device, _ row: Int, _ guest: String) {
        self.device = device
        self.row = row
        self.guest = guest
    }
}

/// A struct with the same properties.
@Table(indexes: [.unique("device", "row")])
struct SeatingValue {
    var id: Int64?
    var device: Device
    var row: Int
    var guest: String
}

/// A struct with a unique key beside one that the engine makes.
@Table
struct Coupon: Equatable {
    var id: Int64?
    @Unique var code: String
    var percent: Int
    var uses = 0
}

/// A struct that is one row, with a key of two parts and everything that a save sets.
@Table
struct Gauge: Equatable {
    @PrimaryKey let sensor: String
    @PrimaryKey let minute: Int
    var value: Double
    var note: String?
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var updatedAt: Date?
    @Version var version = 0
}
