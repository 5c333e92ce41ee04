import Holdfast

/// A row with a document whose properties have key paths.
@Table
final class Parcelled {
    @JSONObject
    struct Place: Codable {
        enum CodingKeys: String, CodingKey {
            case city = "town name"
            case zip
        }

        var city: String
        var zip: String?
        var isCached = false
    }

    @JSONObject
    struct Line: Codable {
        var sku: String
        var count: Int
    }

    @JSONObject
    struct Parcel: Codable {
        var place: Place
        var origin: Place?
        var lines: [Line] = []
        var tags: [String]?
        var weight = 0.0
        var isFragile = false
        var `default` = 0

        static func sample(_ number: Int) -> Parcel {
            let zip: String? = number == 2 ? nil : String(number)
            var parcel = Parcel(place: Place(city: "city \(number)", zip: zip))
            if number < 3 { parcel.origin = Place(city: "x") }
            for line in 0..<number { parcel.lines.append(Line(sku: "s\(line)", count: line * number)) }
            if number != 5 { parcel.tags = ["t\(number)", "all"] }
            parcel.weight = Double(number) / 2
            parcel.isFragile = number == 4
            parcel.default = number
            return parcel
        }
    }

    var id: Int64?
    var parcel: Parcel
    var spare: Parcel?

    init(_ parcel: Parcel) { self.parcel = parcel }
}
