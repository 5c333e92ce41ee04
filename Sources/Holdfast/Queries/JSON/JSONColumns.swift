/// What is inside a property that is kept as JSON, by the key paths of its type: see ``JSONObject()``.
///
/// ```swift
/// .where { $0.profile.address.city == "Bonn" && $0.profile.tags.contains("moon") }
/// .order { $0.profile.scores[0].descending }
/// ```
///
/// A value is what ``QueryExpression/json(_:as:)`` gives by the same path, and is nil as that is.
@dynamicMemberLookup
public struct JSONColumns<Value: JSONObjectType>: Sendable {
    let place: JSONPlace

    /// A value.
    public subscript<Scalar: JSONScalar>(dynamicMember keyPath: KeyPath<Value, Scalar>) -> QueryExpression<Scalar?> {
        member(keyPath).value()
    }

    /// An optional value.
    public subscript<Scalar: JSONScalar>(dynamicMember keyPath: KeyPath<Value, Scalar?>) -> QueryExpression<Scalar?> {
        member(keyPath).value()
    }

    /// A part with properties of its own.
    public subscript<Part: JSONObjectType>(dynamicMember keyPath: KeyPath<Value, Part>) -> JSONColumns<Part> {
        JSONColumns<Part>(place: member(keyPath))
    }

    /// An optional part with properties of its own.
    public subscript<Part: JSONObjectType>(dynamicMember keyPath: KeyPath<Value, Part?>) -> JSONColumns<Part> {
        JSONColumns<Part>(place: member(keyPath))
    }

    /// An array.
    public subscript<Element>(dynamicMember keyPath: KeyPath<Value, [Element]>) -> JSONArrayColumn<Element> {
        JSONArrayColumn(place: member(keyPath))
    }

    /// An optional array.
    public subscript<Element>(dynamicMember keyPath: KeyPath<Value, [Element]?>) -> JSONArrayColumn<Element> {
        JSONArrayColumn(place: member(keyPath))
    }

    /// Refuses a dictionary, whose names no key path tells.
    @available(
        *, unavailable,
        message:
            "A dictionary has no key paths of its parts: ask by a path, as in `$0.profile.json(\"scores.math\", as: Int.self)`."
    )
    public subscript<Element>(dynamicMember keyPath: KeyPath<Value, [String: Element]>) -> _JSONDictionary<Element> {
        _JSONDictionary()
    }

    /// Refuses an optional dictionary.
    @available(
        *, unavailable,
        message:
            "A dictionary has no key paths of its parts: ask by a path, as in `$0.profile.json(\"scores.math\", as: Int.self)`."
    )
    public subscript<Element>(dynamicMember keyPath: KeyPath<Value, [String: Element]?>) -> _JSONDictionary<Element> {
        _JSONDictionary()
    }

    private func member(_ keyPath: PartialKeyPath<Value>) -> JSONPlace {
        guard let name = Value._jsonKey(of: keyPath) else {
            return JSONPlace(
                document: .failure(
                    DatabaseError(
                        .invalidValue,
                        "A query names a property of \(Value.self) that is not stored in its JSON. Name one that is.")))
        }
        return place.appending(.member(name))
    }
}

/// A dictionary inside a property that is kept as JSON, which no query can ask for: so that a mistake is one error.
public struct _JSONDictionary<Element>: Sendable {
    /// Stands for a part of the dictionary, so that the mistake is found at its key.
    public subscript(name: String) -> QueryExpression<Element?> { QueryExpression(.null) }
}

/// An array inside a property that is kept as JSON.
public struct JSONArrayColumn<Element>: Sendable {
    let place: JSONPlace
}

extension JSONArrayColumn where Element: JSONScalar {
    /// The element at a position from 0; nil where there is none.
    public subscript(position: Int) -> QueryExpression<Element?> { place.appending(.element(position)).value() }

    /// Whether an element is equal to a value: see ``QueryExpression/json(_:contains:)``.
    public func contains(_ value: Element) -> Condition {
        do {
            let path = try JSONPath(steps: place.steps)
            return Condition(.hasJSONElement(place.document, path, QueryValue.encoding(value, .native)))
        } catch {
            return Condition(.failure((error as? DatabaseError) ?? JSONPath.malformed))
        }
    }
}

extension JSONArrayColumn where Element: JSONObjectType {
    /// The element at a position from 0, in which all is nil where there is none.
    public subscript(position: Int) -> JSONColumns<Element> {
        JSONColumns<Element>(place: place.appending(.element(position)))
    }
}

/// A place in a document.
struct JSONPlace: Sendable {
    /// The property, or an error.
    let document: QueryNode
    var steps: [JSONPath.Step] = []

    func appending(_ step: JSONPath.Step) -> JSONPlace {
        var place = self
        place.steps.append(step)
        return place
    }

    /// The value that is there.
    func value<Scalar: JSONScalar>() -> QueryExpression<Scalar?> {
        do {
            let type = Scalar._columnType(.native) ?? .text
            return QueryExpression<Scalar?>(.json(document, try JSONPath(steps: steps), type), around: 0)
        } catch {
            return QueryExpression<Scalar?>(.failure((error as? DatabaseError) ?? JSONPath.malformed))
        }
    }
}
