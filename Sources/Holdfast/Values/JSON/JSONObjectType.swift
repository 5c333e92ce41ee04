/// A part of a document whose properties queries can name by key paths: ``JSONObject()`` makes a struct one.
public protocol JSONObjectType: Codable {
    /// Returns the name that a stored property has in JSON; nil for what is not stored there.
    static func _jsonKey(of property: PartialKeyPath<Self>) -> String?
}
