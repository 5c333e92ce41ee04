import Holdfast
import Testing

@testable import HoldfastPostgres

/// Values that are larger than a message to the server may be: the counts are real, and the bytes are not there.
@Suite struct LargeValueTests {
    private func parameters(_ counts: [Int]) -> ParameterBuffer {
        var parameters = ParameterBuffer(width: counts.count)
        parameters.bytes = [0]
        for count in counts { parameters.cells.append(Cell(kind: .blob, count: UInt32(clamping: count), payload: 0)) }
        return parameters
    }

    @Test(arguments: [1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40])
    func `a value of more than 1 GiB is refused before it is sent`(count: Int) {
        var encoder = ParameterEncoder([.bytea])
        let failure = encoder.firstFailure(parameters([count]))
        #expect(failure?.cause == .tooLarge && failure?.column == 0)
    }

    @Test func `a row of more than 1 GiB is refused, and tells from which column on`() {
        var encoder = ParameterEncoder([.bytea, .bytea, .bytea, .bytea])
        let failure = encoder.firstFailure(parameters([400 << 20, 400 << 20, 400 << 20, 1]))
        #expect(failure?.cause == .tooLarge && failure?.column == 2)
    }

    @Test func `a list with a value of more than 1 GiB is refused`() {
        var encoder = ParameterEncoder([WireType(1001)])
        var row = ParameterBuffer(width: 1)
        row.append(list: parameters([1 << 31]))
        #expect(encoder.firstFailure(row)?.cause == .tooLarge)
    }

    @Test func `bytes of 4 GiB make a cell that no engine takes, and do not trap`() {
        // Nothing reads them.
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 8), count: 1 << 32)
        #expect(Cell.bytes(.blob, bytes).count == .max)
    }
}
