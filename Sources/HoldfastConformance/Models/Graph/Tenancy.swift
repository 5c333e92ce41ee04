import Holdfast

/// Objects of several tenants, whose keys and references begin with the tenant, with each delete rule.
enum Tenancy {
    /// Takes along its project, and that its client.
    @Table("tenancy_ticket")
    final class Ticket {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        @Column(["tenant", "project_id"]) @Relation(deleteRule: .cascade) var project: Project?
        /// Stays.
        @Column(["tenant", "assignee_id"]) var assignee: Client?
        /// Keeps the ticket.
        @Column(["tenant", "payer_id"]) @Relation(deleteRule: .deny) var payer: Client?

        init(_ tenant: Int64, _ id: Int64) { (self.tenant, self.id) = (tenant, id) }
    }

    @Table("tenancy_project")
    final class Project {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        @Column(["tenant", "client_id"]) @Relation(deleteRule: .cascade) var client: Client?

        init(_ tenant: Int64, _ id: Int64, client: Client? = nil) {
            (self.tenant, self.id) = (tenant, id)
            self.client = client
        }

        func willDelete(in transaction: Transaction) async throws {
            try await transaction.save(Note("project \(id)"))
        }
    }

    @Table("tenancy_client")
    final class Client {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64

        init(_ tenant: Int64, _ id: Int64) { (self.tenant, self.id) = (tenant, id) }
    }

    /// Takes along the step that follows.
    @Table("tenancy_step")
    final class Step {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        @Column(["tenant", "next_id"]) @Relation(deleteRule: .cascade) var next: Step?

        init(_ tenant: Int64, _ id: Int64, next: Step? = nil) {
            (self.tenant, self.id) = (tenant, id)
            self.next = next
        }
    }

    /// Lets stay what it leads to, of its own table.
    @Table("tenancy_folder")
    final class Folder {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        @Column(["tenant", "parent_id"]) var parent: Folder?

        init(_ tenant: Int64, _ id: Int64, parent: Folder? = nil) {
            (self.tenant, self.id) = (tenant, id)
            self.parent = parent
        }
    }

    /// Must refer to an offer, which goes with it, and has a hook.
    @Table("tenancy_order")
    final class Order {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        @Relation(deleteRule: .cascade) var offer: Offer

        init(_ tenant: Int64, _ id: Int64, offer: Offer) {
            (self.tenant, self.id) = (tenant, id)
            self.offer = offer
        }
    }

    @Table("tenancy_offer")
    final class Offer {
        var id: Int64?
        var text: String

        init(_ text: String) { self.text = text }

        func willDelete(in transaction: Transaction) async throws {
            try await transaction.save(Note("offer \(text)"))
        }
    }
}
