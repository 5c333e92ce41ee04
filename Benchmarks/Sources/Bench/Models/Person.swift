import Holdfast

/// Who leads projects.
@Table
final class Person {
    var id: Int64?
    var name: String
    var born: Int

    init(name: String, born: Int) {
        self.name = name
        self.born = born
    }
}
