/// A path into a document: names that lead into objects, and positions that lead into arrays.
///
/// ```swift
/// try JSONPath(#"orders[0]."unit price""#).description    // orders[0]."unit price"
/// ```
@_spi(Driver) public struct JSONPath: Hashable, Sendable {
    /// A step from one value into another.
    public enum Step: Hashable, Sendable {
        /// A member of an object.
        case member(String)
        /// An element of an array, by its position from 0.
        case element(Int)
    }

    /// The steps; none for the document itself.
    public let steps: [Step]

    /// The document itself.
    static let root = JSONPath(unchecked: [])

    /// The path without its last step; nil for the document itself.
    public var parent: JSONPath? { steps.isEmpty ? nil : JSONPath(unchecked: Array(steps.dropLast())) }

    /// The path as SQL/JSON and SQLite write it, after what stands for the document: `$."orders"[0]`.
    public var sqlText: String {
        steps.reduce("$") { text, step in
            switch step {
            case .member(let name): "\(text).\"\(name)\""
            case .element(let position): "\(text)[\(position)]"
            }
        }
    }

    /// The greatest number of steps.
    private static let greatestLength = 60

    static var malformed: DatabaseError {
        DatabaseError(
            .syntax,
            "A path into a document can't be read. Join names by dots, with positions in brackets: orders[0].sku. Put names with other characters in quotation marks."
        )
    }

    private init(unchecked steps: [Step]) { self.steps = steps }

    /// Creates a path of steps.
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` for more steps, or other names, than a path can have.
    init(steps: [Step]) throws {
        guard steps.count <= Self.greatestLength, steps.allSatisfy(Self.isValid) else { throw Self.malformed }
        self.steps = steps
    }

    /// Reads a path, such as `orders[0]."unit price".value`; one that begins with a position leads into an array.
    init(_ text: String) throws {
        var steps: [Step] = []
        var rest = text[...]
        var needsName = rest.first != "["
        while true {
            if needsName { steps.append(.member(try Self.name(&rest))) }
            while rest.first == "[" {
                guard let end = rest.firstIndex(of: "]"),
                    let position = Int(rest[rest.index(after: rest.startIndex)..<end])
                else { throw Self.malformed }
                steps.append(.element(position))
                rest = rest[rest.index(after: end)...]
            }
            if rest.isEmpty { break }
            guard rest.removeFirst() == "." else { throw Self.malformed }
            needsName = true
        }
        try self.init(steps: steps)
    }

    private static func isValid(_ step: Step) -> Bool {
        switch step {
        // Engines disagree about what a backslash or a quotation mark in a path stands for.
        case .member(let name): !name.unicodeScalars.contains { $0 == "\\" || $0 == "\"" || $0.value < 0x20 }
        case .element(let position): position >= 0 && position <= Int(Int32.max)
        }
    }

    private static func name(_ rest: inout Substring) throws -> String {
        if rest.first == "\"" {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: "\"") else { throw malformed }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end])
        }
        let name = rest.prefix(while: isPlain)
        guard !name.isEmpty else { throw malformed }
        rest = rest[name.endIndex...]
        return String(name)
    }

    /// Whether a character needs no quotation marks around the name.
    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }
}

extension JSONPath: CustomStringConvertible {
    public var description: String {
        steps.reduce("") { text, step in
            switch step {
            case .member(let name):
                text + (text.isEmpty ? "" : ".")
                    + (!name.isEmpty && name.allSatisfy(Self.isPlain) ? name : "\"\(name)\"")
            case .element(let position): "\(text)[\(position)]"
            }
        }
    }
}
