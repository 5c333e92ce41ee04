import Foundation
import Holdfast

@Table(indexes: [.index("name", "start"), .unique("code", "part")])
final class Sample {
    var id: Int64?
    var name: String
    @Unique var code: String?
    var part = 1
    @Indexed var start: Date?
    var tags: [String] = []
    var aliases: [String]?
    @Timestamp(.modified) var modified: Date?

    init(name: String) { self.name = name }
}

@Table
struct Line: Equatable {
    @PrimaryKey let order: String
    @PrimaryKey let number: Int
    var text: String
    var isOpen = true
}

@Table
struct Counted {
    let id: Int64
    var text: String
    @Version var version = 0
}
