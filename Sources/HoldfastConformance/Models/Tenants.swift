import Foundation
import Holdfast

/// An object of a tenant, which others of the tenant lead to.
@Table(scopes: [.scope("tenant", by: "tenantID"), .scope("open", where: "closedAt IS NULL")])
final class TenantInvoice {
    var id: Int64?
    var tenantID: Int64
    var total = 0
    var closedAt: Date?
    var tags: [String] = []
    @Version var version = 0
    @Relation(inverse: \TenantLine.invoice, deleteRule: .cascade, loading: .eager) var lines: [TenantLine] = []

    init(_ total: Int, of tenantID: Int64, tags: [String] = []) {
        (self.total, self.tenantID, self.tags) = (total, tenantID, tags)
    }
}

/// What an invoice owns, whoever's it is.
@Table
final class TenantLine {
    var id: Int64?
    var text: String
    var invoice: TenantInvoice?

    init(_ text: String, of invoice: TenantInvoice? = nil) { (self.text, self.invoice) = (text, invoice) }
}

/// A struct of a tenant, with a key of the caller's.
@Table(scopes: [.scope("tenant", by: "tenantID")])
struct TenantBadge: Equatable {
    @PrimaryKey let code: String
    var tenantID: Int64
    var rank = 0
    @Timestamp(.deleted) var deletedAt: Date?
}

/// What chambers are in.
@Table
final class TenantHouse {
    @PrimaryKey let code: String

    init(_ code: String) { self.code = code }
}

/// An object in the scope of the object that it leads to.
@Table(scopes: [.scope("house", by: "house")])
final class TenantChamber {
    var id: UUID = UUID()
    var name: String
    var house: TenantHouse

    init(_ name: String, in house: TenantHouse) { (self.name, self.house) = (name, house) }
}
