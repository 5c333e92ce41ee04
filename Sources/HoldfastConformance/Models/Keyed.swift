import Foundation
import Holdfast

/// A key that is a text.
@Table
struct Named: Equatable {
    @PrimaryKey let name: String
    var number = 0
}

/// A key that is a UUID.
@Table
struct Token: Equatable {
    let id: UUID
    var number = 0
}

/// A key of one's own that is an integer.
@Table
final class Numbered {
    @PrimaryKey let number: Int64
    var title: String

    init(_ number: Int64, _ title: String = "") {
        self.number = number
        self.title = title
    }
}

/// A key of several columns, and an array.
@Table
final class Place {
    @PrimaryKey let country: String
    @PrimaryKey let number: Int32
    @PrimaryKey let token: UUID
    var name: String
    var aliases: [String] = []

    init(_ country: String, _ number: Int32, _ token: UUID, name: String, aliases: [String] = []) {
        self.country = country
        self.number = number
        self.token = token
        self.name = name
        self.aliases = aliases
    }
}

/// A key that wraps a text.
struct AccountNumber: RawRepresentable, KeyValue, Hashable { var rawValue: String }

@Table
struct Account: Equatable {
    let id: AccountNumber
    var balance = 0
}
