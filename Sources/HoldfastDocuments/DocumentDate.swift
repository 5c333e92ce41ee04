import Foundation
import Holdfast

/// A date in documents, in the form in which this product writes dates: see `Columns.date(_:)`.
public struct DocumentDate: Sendable {
    let text: QueryExpression<String?>

    /// Orders by the date, the earliest first.
    public var ascending: Ordering { text.ascending }

    /// Orders by the date, the latest first.
    public var descending: Ordering { text.descending }

    /// Whether the date is the same.
    public static func == (left: DocumentDate, right: Date) -> Condition { left.text == DocumentCoding.limit(right) }

    /// Whether the date is another one, or there is none.
    public static func != (left: DocumentDate, right: Date) -> Condition { left.text != DocumentCoding.limit(right) }

    /// Whether the date is earlier.
    public static func < (left: DocumentDate, right: Date) -> Condition { left.text < DocumentCoding.limit(right) }

    /// Whether the date is not later.
    public static func <= (left: DocumentDate, right: Date) -> Condition { left.text <= DocumentCoding.limit(right) }

    /// Whether the date is later.
    public static func > (left: DocumentDate, right: Date) -> Condition { left.text > DocumentCoding.limit(right) }

    /// Whether the date is not earlier.
    public static func >= (left: DocumentDate, right: Date) -> Condition { left.text >= DocumentCoding.limit(right) }
}

extension Columns where Model == Document {
    /// The date at a path, as ``DocumentTable`` writes dates, to be compared with a `Date` and ordered by.
    ///
    /// ```swift
    /// people.where { $0.date("born") < Date.now.addingTimeInterval(-18 * 365 * 86_400) }
    /// ```
    ///
    /// Dates that others have written are values of the type that they chose: a number of seconds is compared by
    /// `$0["at", as: Double.self]`, another text by `$0["at", as: String.self]`.
    public func date(_ path: String) -> DocumentDate { DocumentDate(text: self[path, as: String.self]) }
}
