import Foundation
import Holdfast

extension Columns where Model == Document {
    /// The value at a path in the document.
    ///
    /// ```swift
    /// .where { $0["address.city"] == "Bonn" && $0["tags[0]"] == "new" }
    /// .order { $0["age", as: Int.self].descending }
    /// ```
    ///
    /// It is nil where there is nothing, `null`, or a value of another type: see `QueryExpression.json(_:as:)`.
    public subscript<Scalar: JSONScalar>(path: String, as type: Scalar.Type = Scalar.self) -> QueryExpression<Scalar?> {
        self.value.json(path, as: type)
    }

    /// Whether the document has anything at a path, be it `null`.
    public func has(_ path: String) -> Condition { self.value.hasJSON(path) }
}
