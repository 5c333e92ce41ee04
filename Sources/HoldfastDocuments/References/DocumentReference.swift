import Holdfast

/// A reference from one document to another, kept as the key of that.
///
/// `DocumentStore.load` loads what it leads to, on over any number of references and around in circles, all
/// documents of a level at a time. A reference that is decoded otherwise has its key only.
public struct DocumentReference<Object: DocumentObject>: Codable {
    /// What a reference leads to.
    public enum Target {
        /// The object.
        case object(Object)
        /// Nothing was loaded.
        case notLoaded
        /// There is no document with the key.
        case missing
    }

    /// Shared by copies, so that circles can be closed once all is loaded.
    private final class Place {
        var target: Target
        /// The key, where no object says it.
        var key: String

        init(_ target: Target, key: String) { (self.target, self.key) = (target, key) }
    }

    private let place: Place

    /// Creates a reference to an object.
    public init(_ object: Object) { place = Place(.object(object), key: object.documentKey) }

    /// Creates a reference to whatever has a key.
    public init(key: String) { place = Place(.notLoaded, key: key) }

    /// The object that the reference leads to, or why there is none.
    public var target: Target { place.target }

    /// The object; nil if there is none, or none was loaded.
    public var object: Object? {
        if case .object(let object) = place.target { object } else { nil }
    }

    /// The key of the object.
    public var key: String { object?.documentKey ?? place.key }

    /// Lets go of the object, for this reference and its copies, and keeps its key.
    ///
    /// References that lead around in a circle keep their objects in memory until one of them is unloaded.
    public func unload() {
        place.key = key
        place.target = .notLoaded
    }

    public init(from decoder: any Decoder) throws {
        self.init(key: try decoder.singleValueContainer().decode(String.self))
        guard let userInfoKey = ReferenceResolver.userInfoKey,
            let resolver = decoder.userInfo[userInfoKey] as? ReferenceResolver
        else { return }
        let place = place
        resolver.expect(Object.self, key: key) { place.target = $0.map { .object($0) } ?? .missing }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
        guard let object, let userInfoKey = ReferenceCollector.userInfoKey,
            let collector = encoder.userInfo[userInfoKey] as? ReferenceCollector
        else { return }
        collector.collect(object, in: place)
    }
}

extension DocumentReference: _ValuesHidden {}
