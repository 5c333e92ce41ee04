import Foundation
import Holdfast

/// Names that need backticks in some places.
@Table("order")
final class Reserved {
    var `self`: Int = 1
    @PrimaryKey var `class`: Int64?
    var `default` = "a"
    var order: Int = 2
    var `init`: String = "i"
    var `Type`: Int?
    var `first name`: String = "raw"
    var row = 1
    var object = 2
    var encoder = 3
    var table = 4
    var body = 5
    var größe = 1.5
    var 名前 = "名"
}

/// The name of a type can need them as well.
@Table
struct `default` {
    let id: Int64
}

/// Observers of the user's own, next to the ones that mark changes.
@Table
final class Observed {
    var id: Int64?
    var plain = 0
    var did = 0 { didSet { log.append("did \(oldValue)->\(did)") } }
    var will = 0 { willSet { log.append("will \(will)->\(newValue)") } }
    var list: [Int] = []
    @Transient var log: [String] = []
    @Transient var both = 0 {
        willSet { log.append("both will") }
        didSet { log.append("both did") }
    }
}

/// Private properties are the model's own affair, and are kept all the same.
@Table
final class Private {
    private(set) var id: Int64?
    private var secret = "s"
    fileprivate var other: Int? = nil

    func change() {
        secret += "!"
        other = 7
    }

    var revealed: String { secret }
}

@Table
struct PrivateStruct {
    let id: Int64
    private var secret = "s"
    fileprivate let other: Int

    init(id: Int64, other: Int) {
        self.id = id
        self.other = other
    }
}

/// Defaults of all kinds; only the constant ones reach the mapping.
@Table
struct Defaults {
    var id: Int64?
    var negative = -1
    var hexadecimal: UInt8 = 0xFF
    var real = -1.5e3
    var flag = true
    var text = "tab\tquote\" \u{1F600}"
    var nothing: Int? = nil
    var status = Status.done
    var implicit: Status = .running
    var maximum = Int.max
    var list = ["a", "b"]
    var now = Date.now
    var then: Date = .distantPast
    var key = UUID()
    var computed = 2 * 3
    var interpolated = "\(1)"
    var empty: [String: Int] = [:]
}

/// Implicitly unwrapped optionals, optionals spelled out, and qualified types.
@Table
final class Spellings {
    var id: Optional<Int64> = nil
    var unwrapped: String!
    var qualified: Foundation.Date?
    var array: Array<Swift.Int> = []
    var sugar: [Int?] = [1, nil]
}

/// A key that is given by the caller, and never changes.
@Table
final class Coded {
    @PrimaryKey let code: String
    let serial: Int
    var text = ""

    init(code: String, serial: Int) {
        self.code = code
        self.serial = serial
    }
}

/// Everything is constant.
@Table
struct Constant {
    let id: Int64
    let text: String
}

/// Attributes and conformances named with their module.
@Holdfast.Table
final class Qualified: Holdfast.TableObject {
    @Holdfast.PrimaryKey var key: Int64?
    @Holdfast.Transient var draft = 1
}

@Table
nonisolated final class Nonisolated {
    var id: Int64?
}
