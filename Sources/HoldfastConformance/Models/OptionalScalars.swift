import Foundation
import Holdfast

/// Every type of the profile, each in a column that can be NULL.
@Table
struct OptionalScalars: Equatable {
    let id: Int64
    var bool: Bool?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var decimal: Decimal?
    var string: String?
    var data: Data?
    var date: Date?
    var uuid: UUID?
    var url: URL?
    var mood: Mood?
    var grade: Grade?
    var celsius: Celsius?
    var address: Address?
}

extension OptionalScalars {
    /// Creates the same values as optionals, none of them nil.
    init(_ value: Scalars) {
        id = value.id
        bool = value.bool
        int = value.int
        int8 = value.int8
        int16 = value.int16
        int32 = value.int32
        int64 = value.int64
        uint = value.uint
        uint8 = value.uint8
        uint16 = value.uint16
        uint32 = value.uint32
        uint64 = value.uint64
        float = value.float
        double = value.double
        decimal = value.decimal
        string = value.string
        data = value.data
        date = value.date
        uuid = value.uuid
        url = value.url
        mood = value.mood
        grade = value.grade
        celsius = value.celsius
        address = value.address
    }

    /// All nil.
    init(id: Int64) { self.id = id }
}
