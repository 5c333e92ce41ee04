/// A reference from one document to another, kept as the key of that.
///
/// ``DocumentStore/load(_:_:)`` loads what it leads to, on over any number of references and around in circles, all
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

        init(_ target: Target) { self.target = target }
    }

    private let place: Place
    private let givenKey: String?

    /// Creates a reference to an object.
    public init(_ object: Object) { (place, givenKey) = (Place(.object(object)), nil) }

    /// Creates a reference to whatever has a key.
    public init(key: String) { (place, givenKey) = (Place(.notLoaded), key) }

    /// What it leads to.
    public var target: Target { place.target }

    /// The object; nil if there is none, or none was loaded.
    public var object: Object? {
        if case .object(let object) = place.target { object } else { nil }
    }

    /// The key of the object.
    public var key: String { givenKey ?? object?.documentKey ?? "" }

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
