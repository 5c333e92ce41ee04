public import Foundation
public import Holdfast

@Table
public final class Employee {
    public var id: Int64?
    public var name: String
    public var email: String
    public var manager: Employee?
    public var salary: Decimal = 0
    public var skills: [String] = []

    public init(name: String, email: String) {
        self.name = name
        self.email = email
    }
}
