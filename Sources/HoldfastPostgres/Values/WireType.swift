import Holdfast

/// How values of a server type travel in binary; one case per format that we read and write.
enum WireType: Hashable, Sendable {
    case bool, int2, int4, int8, oid, float4, float8, numeric
    /// A type whose binary format is its UTF-8 text.
    case text
    /// A `char(n)` that is read: its blanks at the end mean nothing.
    case paddedText
    case json, jsonb, bytea, uuid, timestamptz, timestamp, date
    /// The type that a function returns that returns nothing.
    case void
    /// An array of elements of a type whose format we know; `isText` if that is text, as of an enum.
    case array(element: UInt32, isText: Bool)
    /// A type that travels as text only: whatever we don't know.
    case other(UInt32)

    /// The format of one of the server's own types.
    init(_ oid: UInt32) {
        self =
            switch oid {
            case 16: .bool
            case 17: .bytea
            case 20: .int8
            case 21: .int2
            case 23: .int4
            case 26: .oid
            case 114: .json
            case 700: .float4
            case 701: .float8
            case 1082: .date
            case 1114: .timestamp
            case 1184: .timestamptz
            case 1700: .numeric
            case 2278: .void
            case 2950: .uuid
            case 3802: .jsonb
            // "char", name, text, xml, unknown, character, character varying
            case 18, 19, 25, 142, 705, 1042, 1043: .text
            default: Self.element(ofArray: oid).map { .array(element: $0, isText: false) } ?? .other(oid)
            }
    }

    /// The format of the elements of an array.
    var elementFormat: WireType? {
        if case .array(let element, let isText) = self { isText ? .text : WireType(element) } else { nil }
    }

    /// Whether values of it can be read: of arrays those whose elements JSON can hold.
    var isReadable: Bool {
        switch self {
        case .other: false
        case .array: elementFormat?.isArrayElement ?? false
        case .bool, .int2, .int4, .int8, .oid, .float4, .float8, .numeric, .text, .paddedText, .json, .jsonb, .bytea,
            .uuid, .timestamptz, .timestamp, .date, .void:
            true
        }
    }

    private var isArrayElement: Bool {
        switch self {
        case .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .uuid, .timestamptz, .timestamp, .date: true
        case .oid, .paddedText, .json, .jsonb, .bytea, .void, .array, .other: false
        }
    }

    /// The type as which ``ArrayText`` reads elements of this format, where their JSON does not tell.
    var jsonElement: ColumnType? {
        switch self {
        // Also for floating-point numbers, so that one with more digits than they have is noticed.
        case .numeric, .float4, .float8: .decimal
        case .timestamptz, .timestamp, .date: .timestamp
        case .uuid: .uuid
        case .bool, .int2, .int4, .int8, .oid, .text, .paddedText, .json, .jsonb, .bytea, .void, .array, .other: nil
        }
    }
}

extension WireType {
    /// The type of the elements of one of the server's own array types: that of the lists among parameters.
    static func element(ofArray oid: UInt32) -> UInt32? {
        switch oid {
        case 199: 114  // json
        case 1000: 16  // bool
        case 1001: 17  // bytea
        case 1005: 21  // int2
        case 1007: 23  // int4
        case 1009: 25  // text
        case 1014: 1042  // character
        case 1015: 1043  // character varying
        case 1016: 20  // int8
        case 1021: 700  // float4
        case 1022: 701  // float8
        case 1115: 1114  // timestamp
        case 1182: 1082  // date
        case 1185: 1184  // timestamptz
        case 1231: 1700  // numeric
        case 2951: 2950  // uuid
        case 3807: 3802  // jsonb
        default: nil
        }
    }
}

/// Object identifiers of types that we name when a statement is prepared.
enum TypeOID {
    static let numericArray: UInt32 = 1231
    static let timestampArray: UInt32 = 1115
    static let timestamptzArray: UInt32 = 1185
    static let characterArray: UInt32 = 1014
    static let varcharArray: UInt32 = 1015
    static let unspecified: UInt32 = 0
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let character: UInt32 = 1042
    static let int8: UInt32 = 20
    static let text: UInt32 = 25
    static let float8: UInt32 = 701
    static let varchar: UInt32 = 1043
    static let timestamp: UInt32 = 1114
    static let timestamptz: UInt32 = 1184
    static let numeric: UInt32 = 1700
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
}
