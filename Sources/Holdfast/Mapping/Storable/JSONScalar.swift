/// A type of value that a document has, and a query can compare: a text, a truth value or a number.
///
/// The conformances are `String`, `Bool`, the integers and `Double`.
public protocol JSONScalar: Storable {}

extension String: JSONScalar {}
extension Bool: JSONScalar {}
extension Int: JSONScalar {}
extension Int64: JSONScalar {}
extension Int32: JSONScalar {}
extension Double: JSONScalar {}
