import Holdfast

/// The paths by which queries may look into the documents of a table, and what is there.
///
/// ```swift
/// extension DocumentPaths {
///     static let people: DocumentPaths = [
///         "name": .text, "born": .text, "address.city": .text, "tags": .text, "orders.price": .number,
///         "extra": .anything,
///     ]
/// }
/// let people = db.documents["people", .people]
/// let inBonn = people.where { $0["address.city"] == "Bonn" && $0["orders[0].price", as: Double.self] > 3 }
/// ```
///
/// A path leads to a value, or to an array of such values: positions are left out. Of a path named twice, the last
/// counts.
public struct DocumentPaths: Sendable, ExpressibleByDictionaryLiteral {
    /// What is at a path.
    public enum Kind: Sendable {
        /// A text; also a date, as documents have it.
        case text
        /// A truth value.
        case boolean
        /// A number without a fraction, which can be asked for as an integer or as a `Double`.
        case integer
        /// A number, which can only be asked for as a `Double`: as an integer, 3.5 would be nil, and not be found.
        case number
        /// Anything, in which any path may be asked for, as any type.
        case anything

        fileprivate var declared: DeclaredPaths.Kind {
            switch self {
            case .text: .text
            case .boolean: .boolean
            case .integer: .integer
            case .number: .number
            case .anything: .anything
            }
        }
    }

    private let paths: [(String, Kind)]

    /// Creates a declaration of paths and what is there.
    public init(dictionaryLiteral paths: (String, Kind)...) { self.paths = paths }

    var declared: DeclaredPaths {
        DeclaredPaths(paths.map { ($0.0, $0.1.declared) }, of: "value", in: Document.databaseTable)
    }
}
