/// The value of one field of a package, to compare and to print.
enum FieldValue: Sendable {
    case text(String?)
    case number(Int64?)
    case flag(Bool)
    case list([String])
}

extension FieldValue: Equatable {
    static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.text(let left?), .text(let right?)): left.hasSameBytes(as: right)
        case (.text(nil), .text(nil)): true
        case (.number(let left), .number(let right)): left == right
        case (.flag(let left), .flag(let right)): left == right
        case (.list(let left), .list(let right)):
            left.elementsEqual(right) { $0.hasSameBytes(as: $1) }
        default: false
        }
    }
}

extension FieldValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .text(let text?): "\"\(text)\""
        case .number(let number?): "\(number)"
        case .text(nil), .number(nil): "nothing"
        case .flag(let flag): flag ? "yes" : "no"
        case .list(let items): "\(items)"
        }
    }
}
