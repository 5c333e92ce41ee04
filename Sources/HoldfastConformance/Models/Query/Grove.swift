import Foundation
import Holdfast

/// A tree by a reference to a key of two values.
@Table
final class Plot {
    @PrimaryKey let row: String
    @PrimaryKey let number: Int
    var parent: Plot?

    init(_ row: String, _ number: Int, parent: Plot? = nil) {
        (self.row, self.number, self.parent) = (row, number, parent)
    }
}

/// A tree of objects that expire, by a reference and by an array.
@Table
final class Twig {
    @PrimaryKey let name: String
    var parent: Twig?
    var offshoots: [Twig] = []
    @Expires var until: Date?

    init(_ name: String, parent: Twig? = nil, until: Date? = nil) {
        (self.name, self.parent, self.until) = (name, parent, until)
    }
}
