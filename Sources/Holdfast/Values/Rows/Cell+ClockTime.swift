extension Cell {
    /// The place of the time among the parameters of a query: what it is, the program's clock says when it is sent.
    static var clockTime: Cell { Cell(kind: .timestamp, count: .max) }

    /// Whether it is ``clockTime``; no instant has such a count.
    var isClockTime: Bool { kind == .timestamp && count == .max }
}

extension ParameterBuffer {
    /// The parameters with a time in the places of ``Cell/clockTime``, or behind those of each row.
    func telling(_ time: Cell, atEnd: Bool) -> ParameterBuffer {
        var result = ParameterBuffer(width: width + (atEnd ? 1 : 0))
        (result.bytes, result.lists) = (bytes, lists)
        result.cells.reserveCapacity(result.width * rowCount)
        for row in 0..<rowCount {
            for cell in cells[row * width..<(row + 1) * width] { result.cells.append(cell.isClockTime ? time : cell) }
            if atEnd { result.cells.append(time) }
        }
        return result
    }
}
