import Testing

@testable import Holdfast

@Suite struct TypeChangeTests {
    @Test func `integers stay what they are in wider integers, decimals, and as far as it goes in doubles`() {
        let int16 = Int64(Int16.min)...Int64(Int16.max)
        let int32 = Int64(Int32.min)...Int64(Int32.max)
        let changes: [ColumnType: [ColumnType: TypeChange]] = [
            .int16: [.int32: .widening, .int64: .widening, .double: .widening, .decimal: .widening],
            .int32: [.int16: .narrowing(int16), .int64: .widening, .double: .widening, .decimal: .widening],
            .int64: [
                .int16: .narrowing(int16), .int32: .narrowing(int32), .double: .narrowing(-(1 << 53)...(1 << 53)),
                .decimal: .widening,
            ],
            .float: [.double: .widening],
        ]
        for old in ColumnType.allCases {
            for new in ColumnType.allCases {
                #expect(TypeChange(from: old, to: new) == changes[old]?[new] ?? .unknown, "\(old) to \(new)")
            }
        }
    }
}
