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
    @Relation(inverse: \Member.sponsor) var sponsored: [Member] = []

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

/// What belongs to a device.
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

/// A class whose key can't be set, beside a unique key.
@Table
final class Voucher {
    @PrimaryKey let number: Int64
    @Unique var code: String

    init(_ number: Int64, _ code: String) {
        self.number = number
        self.code = code
    }
}

/// A struct with a unique key beside one that the engine makes.
@Table
struct Coupon: Equatable {
    var id: Int64?
    @Unique var code: String
    var percent: Int
    var uses = 0
}
