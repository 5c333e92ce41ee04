import Foundation
import Holdfast

/// A class with properties of many types, to be made and changed from dictionaries.
@Table
final class Form {
    enum Level: String, Storable { case low, high }

    struct Place: Codable, Equatable {
        var city: String
    }

    var id: Int64?
    var title: String
    var count = 1
    var small: Int8 = 0
    var weight: Double?
    var ratio: Float = 0
    var price: Decimal = 0
    var isOpen = true
    var level = Level.low
    var due: Date?
    @Column(storage: .iso8601) var sent: Date?
    var mark: UUID?
    var page: URL?
    var place: Place?
    var tags: [String] = ["new"]
    var scores: [Double]?
    let series: String?
    @Version var version = 1

    init(_ title: String, series: String? = nil) {
        self.title = title
        self.series = series
    }
}

/// A struct with defaults that are constants, and a key of the caller's.
@Table
struct FormValue: Equatable {
    @PrimaryKey let code: String
    var title: String
    var count = 3
    var note: String?
    var tags: [String] = []
}
