import Holdfast

/// How many types of parameters we name when a statement is prepared.
///
/// Inference comes first: it makes a parameter of what it is compared with, assigned to, or passed to, so an integer
/// can go into any number column, and an index stays usable. Where SQL says nothing (`SELECT $1`), the server takes
/// text, or refuses (`$1 + $2`, `concat($1)`); then the kinds of the values decide.
enum TypeChoice: Int, Comparable {
    /// None: the server infers all.
    case inferred
    /// Those whose values are neither text nor NULL.
    case byKind
    /// All; what is NULL is named a text.
    case all

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The types to name for the columns of `parameters`, 0 for those left to the server.
    func types(_ parameters: ParameterBuffer) -> [UInt32] {
        switch self {
        case .inferred: []
        case .byKind: Self.types(parameters, texts: TypeOID.unspecified)
        case .all: Self.types(parameters, texts: TypeOID.text)
        }
    }

    /// The types to name where the server, left alone, took a parameter for text though its values are none.
    static func types(_ parameters: ParameterBuffer, inferred: [WireType], named: [UInt32]) -> [UInt32] {
        let types = types(parameters, texts: TypeOID.unspecified)
        return types.indices.map { column in
            if column < named.count, named[column] != TypeOID.unspecified { return named[column] }
            return inferred[column] == .text ? types[column] : TypeOID.unspecified
        }
    }

    /// Whether an error at preparing can come from a parameter whose type was not named.
    static func canHelp(_ state: String?) -> Bool {
        switch state {
        // Indeterminate, ambiguous or unknown function or operator, ambiguous parameter, mismatch, no such cast.
        case "42P18", "42725", "42883", "42P08", "42804", "42846": true
        default: false
        }
    }

    private static func types(_ parameters: ParameterBuffer, texts: UInt32) -> [UInt32] {
        (0..<parameters.width).map { column in
            var type: UInt32?
            for index in stride(from: column, to: parameters.cells.count, by: parameters.width) {
                let kind = parameters.cells[index].kind
                guard kind != .null else { continue }
                type = common(type, Self.type(of: kind, texts))
            }
            return type ?? texts
        }
    }

    private static func type(of kind: Cell.Kind, _ texts: UInt32) -> UInt32 {
        switch kind {
        case .null, .text: texts
        // The statement says of which type a list is.
        case .list: TypeOID.unspecified
        case .boolean: TypeOID.bool
        case .integer: TypeOID.int8
        case .real: TypeOID.float8
        case .blob: TypeOID.bytea
        case .timestamp: TypeOID.timestamptz
        case .decimal: TypeOID.numeric
        case .uuid: TypeOID.uuid
        case .json: TypeOID.jsonb
        }
    }

    /// A type for values of two types: numbers find one.
    private static func common(_ first: UInt32?, _ second: UInt32) -> UInt32 {
        guard let first, first != second else { return second }
        let types: Set = [first, second]
        if types == [TypeOID.int8, TypeOID.float8] { return TypeOID.float8 }
        let numbers: Set = [TypeOID.int8, TypeOID.float8, TypeOID.numeric]
        return types.isSubset(of: numbers) ? TypeOID.numeric : TypeOID.unspecified
    }
}
