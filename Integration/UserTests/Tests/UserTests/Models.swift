import Foundation
import Holdfast

@Table
final class Person {
    var id: Int64?
    var name: String
    @Unique var mail: String

    init(name: String, mail: String) {
        self.name = name
        self.mail = mail
    }
}

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget: Decimal = 0
    var tags: [String] = []
    var lead: Person?
    var crew: [Person] = []

    init(name: String) { self.name = name }
}
