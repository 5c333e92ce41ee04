import Foundation
import HoldfastDocuments

/// Objects that are documents, with values of each kind, parts without a key, and other objects that they refer to.
enum Freight {
    struct Receipt: DocumentObject, Equatable {
        static let documentTable = "receipts"

        var documentKey: String
        var date = Date(timeIntervalSince1970: 1_763_712_345.123456)
        var account = "A1"
        var amount = 100
        var notes: [String]?
        var orders: [Int]?
        var dates: [Date]?
        var isNew = true
    }

    struct Address: Codable, Equatable {
        var street: String
        var number: Int
        var isActive = false
        var residents: [String] = []
    }

    struct Household: DocumentObject, Equatable {
        static let documentTable = "households"

        var documentKey: String
        var address: Address
        var others: [Address]?
        var head = ["first": "Ann", "last": "Lee"]
        var members = [["first": "Ann"], ["first": "Bob", "middle": "\u{e9}"]]
    }

    struct Keeper: DocumentObject, Equatable {
        static let documentTable = "keepers"

        var documentKey: String
        var name: String
    }

    struct Depot: DocumentObject {
        static let documentTable = "depots"

        var documentKey: String
        var name = "Depot"
        var keeper: DocumentReference<Keeper>
    }

    struct Delivery: DocumentObject {
        static let documentTable = "deliveries"

        var documentKey: String
        var costs = [200.1, 300.2]
        var start: DocumentReference<Depot>
        var stops: [DocumentReference<Depot>] = []
    }
}
