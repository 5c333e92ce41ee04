import Holdfast

/// Keys that are made of foreign keys, and references that share columns with keys.
enum Northwind {
    @Table("orders")
    final class SalesOrder {
        @PrimaryKey @Column("order_id") var id: Int64
        @Column("ship_name") var shipName: String
        @Relation(inverse: \OrderDetail.order, deleteRule: .cascade, loading: .eager) var details: [OrderDetail] = []

        init(id: Int64, shipName: String) {
            self.id = id
            self.shipName = shipName
        }
    }

    @Table("products")
    final class SoldProduct {
        @PrimaryKey @Column("product_id") var id: Int64
        @Column("product_name") var name: String

        init(id: Int64, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A table whose key is two foreign keys, and which has a column of its own.
    @Table("order_details")
    final class OrderDetail {
        @PrimaryKey let orderID: Int64
        @PrimaryKey let productID: Int64
        @Column("order_id") var order: SalesOrder?
        @Column("product_id") var product: SoldProduct?
        var quantity: Int16

        init(order: SalesOrder, product: SoldProduct, quantity: Int16) {
            (orderID, productID) = (order.id, product.id)
            (self.order, self.product) = (order, product)
            self.quantity = quantity
        }

        init(orderID: Int64, productID: Int64, quantity: Int16) {
            (self.orderID, self.productID) = (orderID, productID)
            self.quantity = quantity
        }
    }

    /// A value with the key of the same table.
    @Table("order_details")
    struct OrderLine: Equatable {
        @PrimaryKey var orderID: Int64
        @PrimaryKey var productID: Int64
        var quantity: Int16
    }

    /// A key that the engine makes, in the key of another.
    @Table
    final class Receipt {
        var id: Int64?
        @Relation(inverse: \ReceiptLine.receipt, loading: .eager) var lines: [ReceiptLine] = []
        init() {}
    }

    @Table
    final class ReceiptLine {
        @PrimaryKey @Column("receipt_id") var receiptID: Int64 = 0
        @PrimaryKey var number: Int
        @Column("receipt_id") var receipt: Receipt?
        var text: String

        init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// An employee who reports to another, by a column that is a property as well.
    @Table("employees")
    final class Employee {
        @PrimaryKey @Column("employee_id") var id: Int64
        var lastName: String
        @Column("reports_to") var superiorID: Int64?
        @Column("reports_to") var superior: Employee?

        init(id: Int64, lastName: String, superior: Employee? = nil) {
            self.id = id
            self.lastName = lastName
            (self.superior, superiorID) = (superior, superior?.id)
        }
    }

    /// Tables of many tenants: every key begins with the tenant, in references too.
    @Table("tenant_customer")
    final class TenantCustomer {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var id: Int64
        var name: String

        init(tenant: Int64, id: Int64, name: String) {
            (self.tenant, self.id) = (tenant, id)
            self.name = name
        }
    }

    @Table("tenant_invoice")
    final class TenantInvoice {
        @PrimaryKey var tenant: Int64
        @PrimaryKey var number: Int64
        @Column(["tenant", "customer_id"]) var customer: TenantCustomer?
        @Relation(
            joinTable: .named(
                "tenant_invoice_watcher", owner: ["tenant", "invoice_number"], element: ["tenant", "customer_id"],
                position: nil))
        var watchers: [TenantCustomer] = []

        init(tenant: Int64, number: Int64, customer: TenantCustomer? = nil) {
            (self.tenant, self.number) = (tenant, number)
            self.customer = customer
        }
    }

    /// References like those above, but without shared columns.
    @Table("tenant_note")
    final class TenantNote {
        var id: Int64?
        @Column(["customer_tenant", "customer_number"]) var customer: TenantCustomer?

        init(customer: TenantCustomer?) { self.customer = customer }
    }

    /// A key shared by two objects, mapped by hand.
    final class TenantProfile: TableObject {
        var tenant: Int64
        var id: Int64
        var customer: TenantCustomer?
        var text: String

        init(customer: TenantCustomer, text: String) {
            (tenant, id) = (customer.tenant, customer.id)
            self.customer = customer
            self.text = text
        }

        private init(_ row: borrowing Row) throws {
            tenant = try row.decode(at: 0)
            id = try row.decode(at: 1)
            customer = try row.decode(at: 2)
            text = try row.decode(at: 3)
        }

        static let tableMapping: TableMapping<TenantProfile> = .init(
            type: "TenantProfile",
            table: "tenant_profile",
            describe: { table in
                table.key("tenant", \.tenant)
                table.key("id", \.id)
                table.property("customer", \.customer, .columns(["tenant", "id"]))
                table.property("text", \.text)
            },
            decode: { row in try TenantProfile(row) }
        )
    }
}
