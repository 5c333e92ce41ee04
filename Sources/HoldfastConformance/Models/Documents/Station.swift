import HoldfastDocuments

/// A document that others refer to, and that refers to others, around in circles.
final class Station: DocumentObject {
    static let documentTable = "stations"

    var documentKey: String
    var name: String
    var next: DocumentReference<Station>?
    var lines: [DocumentReference<Route>] = []

    init(_ key: String) { (documentKey, name) = (key, "Station \(key)") }
}

/// A struct among such documents.
struct Route: DocumentObject, Equatable {
    static let documentTable = "lines"

    var documentKey: String
    var color: String
    var first: DocumentReference<Station>?

    static func == (left: Route, right: Route) -> Bool {
        left.documentKey == right.documentKey && left.color == right.color
    }
}
