import Holdfast

/// The releases of a program, of which earlier ones start again on the database of later ones.
enum Released {
    @Table("customer")
    final class Customer {
        var id: Int64?
        var name: String

        init(_ name: String) { self.name = name }
    }

    @Table("purchase")
    final class Purchase {
        var id: Int64?
        var title: String
        var customer: Customer?

        init(_ title: String, _ customer: Customer? = nil) { (self.title, self.customer) = (title, customer) }
    }

    /// Has the former name of a column, and nothing else that was renamed.
    @Table("purchase")
    struct Titled {
        var id: Int64?
        var title: String
    }

    // MARK: A release that only adds

    @Table("customer", log: true)
    final class Extended {
        var id: Int64?
        var name: String
        var tier = 1
        @Indexed var email: String?

        init(_ name: String) { self.name = name }
    }

    /// Drops what an accepted release does not have.
    @Table("customer")
    struct Short {
        var id: Int64?
        var name: String
    }

    /// Needs a value that earlier releases don't write.
    @Table("customer")
    struct Demanding {
        var id: Int64?
        var name: String
        var code: String

        init(id: Int64? = nil, name: String, code: String) { (self.id, self.name, self.code) = (id, name, code) }
    }

    // MARK: A release that renames

    @Table("client", renamedFrom: "customer")
    final class Client {
        var id: Int64?
        var name: String

        init(_ name: String) { self.name = name }
    }

    @Table("purchase")
    final class Order {
        var id: Int64?
        @Column(renamedFrom: "title") var label: String
        @Column(renamedFrom: "customer") var client: Client?

        init(_ label: String) { self.label = label }
    }

    // MARK: A logged table that loses columns

    @Table("recipe", log: true)
    struct Recipe {
        var id: Int64?
        var name: String
        var note: String?
        var tags: [String]?
    }

    @Table("recipe", log: true)
    struct ShortRecipe {
        var id: Int64?
        var name: String
        var tag: String?
    }
}
