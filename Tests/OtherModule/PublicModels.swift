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
