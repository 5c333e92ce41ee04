import Foundation
import Holdfast

/// An array of every type of the profile that can be nil.
@Table
struct OptionalArrays: Equatable {
    let id: Int64
    var bool: [Bool]?
    var int: [Int]?
    var int8: [Int8]?
    var int16: [Int16]?
    var int32: [Int32]?
    var int64: [Int64]?
    var uint: [UInt]?
    var uint8: [UInt8]?
    var uint16: [UInt16]?
    var uint32: [UInt32]?
    var uint64: [UInt64]?
    var float: [Float]?
    var double: [Double]?
    var decimal: [Decimal]?
    var string: [String]?
    var data: [Data]?
    var date: [Date]?
    var uuid: [UUID]?
    var url: [URL]?
    var mood: [Mood]?
    var grade: [Grade]?
    var celsius: [Celsius]?
    var address: [Address]?
}

extension OptionalArrays {
    /// All nil.
    init(id: Int64) { self.id = id }

    /// One element of each value, in their order; empty arrays of no values.
    init(id: Int64, _ values: [Scalars]) {
        self.init(id: id)
        bool = values.map(\.bool)
        int = values.map(\.int)
        int8 = values.map(\.int8)
        int16 = values.map(\.int16)
        int32 = values.map(\.int32)
        int64 = values.map(\.int64)
        uint = values.map(\.uint)
        uint8 = values.map(\.uint8)
        uint16 = values.map(\.uint16)
        uint32 = values.map(\.uint32)
        uint64 = values.map(\.uint64)
        float = values.map(\.float)
        double = values.map(\.double)
        decimal = values.map(\.decimal)
        string = values.map(\.string)
        data = values.map(\.data)
        date = values.map(\.date)
        uuid = values.map(\.uuid)
        url = values.map(\.url)
        mood = values.map(\.mood)
        grade = values.map(\.grade)
        celsius = values.map(\.celsius)
        address = values.map(\.address)
    }
}
