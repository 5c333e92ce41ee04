/// Literals of JSON, which are checked when they are saved.
extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    /// Creates an object from a literal.
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

    /// Creates an array from a literal.
    public init(arrayLiteral elements: JSON...) { self.init(elements) }

    /// Creates a string from a literal.
    public init(stringLiteral string: String) { self.init(string: string) }

    /// Creates a number from a literal.
    public init(integerLiteral integer: Int64) { self.init(integer) }

    /// Creates a number from a literal.
    public init(floatLiteral double: Double) { self.init(double) }

    /// Creates a truth value from a literal.
    public init(booleanLiteral boolean: Bool) { self.init(boolean) }

    /// The value `null`, which is no literal, since `nil` is the absence of a value.
    public static let null = JSON(part: "null", isChecked: true)

    /// Creates an object.
    public init(_ members: [String: JSON]) { self.init(members.inOrder { $0.key < $1.key }.map { ($0.key, $0.value) }) }

    /// Creates an array.
    public init(_ elements: [JSON]) {
        self.init(part: "[" + elements.map(\.text).joined(separator: ",") + "]", isChecked: false)
    }

    /// Creates a string.
    public init(string: String) { self.init(part: string.jsonQuoted, isChecked: false) }

    /// Creates a number.
    public init(_ integer: some FixedWidthInteger) { self.init(part: "\(integer)", isChecked: true) }

    /// Creates a number; one that is infinite or no number is refused when it is saved.
    public init(_ double: Double) { self.init(part: "\(double)", isChecked: false) }

    /// Creates a truth value.
    public init(_ boolean: Bool) { self.init(part: boolean ? "true" : "false", isChecked: true) }

    private init(_ members: [(String, JSON)]) {
        let texts = members.map { "\($0.0.jsonQuoted):\($0.1.text)" }
        self.init(part: "{" + texts.joined(separator: ",") + "}", isChecked: false)
    }
}
