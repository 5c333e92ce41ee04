public import Foundation
public import Holdfast

/// A public class that other modules save.
@Table
public final class Account {
    public private(set) var id: Int64?
    public var email: String
    @Unique public var number: UUID
    private var failedLogins = 0
    public package(set) var notes: [String] = []

    public init(email: String, number: UUID) {
        self.email = email
        self.number = number
    }

    /// Counts one more login that failed.
    public func countFailure() { failedLogins += 1 }

    /// The number of failed logins.
    public var failures: Int { failedLogins }
}

/// A public struct, in a namespace that an extension opens.
public enum Billing {}

extension Billing {
    @Table("invoices")
    public struct Invoice: Hashable, Sendable {
        @PrimaryKey public let number: String
        public var total: Decimal

        public init(number: String, total: Decimal) {
            self.number = number
            self.total = total
        }
    }
}

public extension Billing {
    @Table final class Payment {
        public var id: Int64?
        public var total: Decimal = 0

        public init() {}
    }
}

/// A model for the package alone.
@Table
package struct AuditEntry {
    package var id: Int64?
    package var text: String

    package init(id: Int64? = nil, text: String) {
        self.id = id
        self.text = text
    }
}

/// Public and package types in an internal namespace are as visible as that.
enum Hidden {
    @Table public final class Note {
        var id: Int64?
    }

    @Table package struct Tag {
        let id: Int64
    }
}

/// An open class that other modules extend.
@Table
open class Vehicle {
    public var id: Int64?
    public var name: String
    private var saves = 0

    public init(name: String) { self.name = name }

    open func willSave() throws { saves += 1 }

    /// The number of saves.
    public var saveCount: Int { saves }
}

/// A subclass that has the initializers of its superclass.
@Table(inherits: Vehicle.self)
open class Car: Vehicle {
    public var doors = 4
    private var dents: [Int] = []

    /// Adds a dent.
    public func hit(_ size: Int) { dents.append(size) }

    /// All dents.
    public var damage: Int { dents.reduce(0, +) }
}

/// A public class that only this module extends.
@Table
public class Shape {
    public var id: Int64?

    public init() {}
}

@Table(inherits: Shape.self)
public final class Circle: Shape {
    public var radius: Double

    public init(radius: Double) {
        self.radius = radius
        super.init()
    }

    public override func afterCommit() { radius += 1 }
}
