public import Foundation
public import Holdfast

@Table
public final class Customer {
    public var id: Int64?
    public var name: String
    public var email: String
    public var phone: String?
    public var address: Address?
    public var isActive: Bool = true
    public var joinedAt: Date

    public init(name: String, email: String, joinedAt: Date) {
        self.name = name
        self.email = email
        self.joinedAt = joinedAt
    }
}
