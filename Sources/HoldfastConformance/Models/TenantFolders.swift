import Foundation
import Holdfast

/// An object of a tenant that says when it is deleted, and holds others of tenants.
@Table(scopes: [.scope("tenant", by: "tenantID")])
final class TenantFolder {
    var id: Int64?
    var tenantID: Int64
    var name: String
    var shared: [TenantFolder] = []
    var main: TenantFolder?
    var labels: [TenantLabel] = []
    @Relation(inverse: \TenantPaper.folder, deleteRule: .cascade) var papers: [TenantPaper] = []

    init(_ name: String, of tenantID: Int64) { (self.name, self.tenantID) = (name, tenantID) }

    func willDelete(in transaction: Transaction) async throws {
        try await transaction.save(TenantEntry("folder \(name)"))
    }
}

/// What a folder owns, whoever's it is.
@Table
final class TenantPaper {
    var id: Int64?
    var folder: TenantFolder?

    init(in folder: TenantFolder? = nil) { self.folder = folder }

    func willDelete(in transaction: Transaction) async throws { try await transaction.save(TenantEntry("paper")) }
}

/// What folders of all tenants hold.
@Table
final class TenantLabel {
    var id: Int64?
    var name: String

    init(_ name: String) { self.name = name }
}

/// What a hook writes.
@Table
final class TenantEntry {
    var id: Int64?
    var text: String

    init(_ text: String) { self.text = text }
}

/// An object that expires, and leads to one of a tenant.
@Table
final class TenantPass {
    var id: Int64?
    @Expires var until: Date?
    var folder: TenantFolder?

    init(until: Date?, to folder: TenantFolder?) { (self.until, self.folder) = (until, folder) }
}

/// The top of a hierarchy with a scope of tenants.
@Table(scopes: [.scope("tenant", by: "tenantID")])
class TenantAsset {
    var id: Int64?
    var tenantID: Int64
    var name: String

    init(_ name: String, of tenantID: Int64) { (self.name, self.tenantID) = (name, tenantID) }
}

/// A class that extends one with a scope, and has one more.
@Table(inherits: TenantAsset.self, scopes: [.scope("registered", where: "isRegistered")])
final class TenantVehicle: TenantAsset {
    var isRegistered = true
}

/// An object without a tenant that can't be without a tenant's.
@Table
final class TenantEntryOf {
    var id: Int64?
    var text = ""
    var folder: TenantFolder

    init(_ folder: TenantFolder) { self.folder = folder }
}
