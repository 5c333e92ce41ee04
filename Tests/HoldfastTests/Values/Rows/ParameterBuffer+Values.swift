@testable import Holdfast

/// A value of a row in a test.
enum TestValue {
    case null
    case integer(Int64)
    case text(String)
}

extension TestValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }
}

extension ParameterBuffer {
    /// A buffer of rows of equal width.
    init(width: Int, _ rows: [[TestValue]]) {
        self.init(width: width)
        for value in rows.joined() {
            switch value {
            case .null: append(.null)
            case .integer(let number): append(.integer(number))
            case .text(let text): Array(text.utf8).withUnsafeBytes { append(.text, $0) }
            }
        }
    }

    /// What its rows hold, in words.
    var words: [String] {
        rowIndices.map { row in
            withRow(row) { cells in
                cells.map { cell in
                    if cell.isNull { return "null" }
                    return cell.hasBytes ? String(decoding: cell.bytes, as: UTF8.self) : "\(cell.integer)"
                }.joined(separator: " ")
            }
        }
    }
}
