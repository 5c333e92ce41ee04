import Foundation
import Holdfast

/// A value that another holds, with a key that the engine makes.
@Table
struct Line: Equatable {
    var id: Int64?
    var article: String
    var count: Int
    var options: [Choice] = []

    init(_ article: String, _ count: Int, options: [Choice] = []) {
        self.article = article
        self.count = count
        self.options = options
    }
}

/// A value in a value in a value.
@Table
struct Choice: Equatable {
    var id: Int64?
    var text: String

    init(_ text: String) { self.text = text }
}

/// A struct that holds structs.
@Table
struct Basket: Equatable {
    var id: Int64?
    var owner: String
    var lines: [Line] = []
    var gift: Choice?

    init(_ owner: String, lines: [Line] = [], gift: Choice? = nil) {
        self.owner = owner
        self.lines = lines
        self.gift = gift
    }
}

/// A class that holds structs.
@Table
final class Receipt {
    var id: Int64?
    var lines: [Line] = []
    var total: Choice
    var customer: Reference<Employee>?
    var witnesses: [Reference<Employee>] = []

    init(total: Choice, lines: [Line] = []) {
        self.total = total
        self.lines = lines
    }
}
