import Holdfast

/// A class with arrays: of values, of optionals, and one that can be nil.
@Table
final class Tagged {
    var id: Int64?
    var name: String
    var tags: [String] = []
    var scores: [Int]?
    var gaps: [Int?] = []

    init(_ name: String = "", tags: [String] = [], scores: [Int]? = nil, gaps: [Int?] = []) {
        self.name = name
        self.tags = tags
        self.scores = scores
        self.gaps = gaps
    }
}
