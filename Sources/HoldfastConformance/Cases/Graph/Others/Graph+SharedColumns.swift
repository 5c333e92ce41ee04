import Foundation
@_spi(Driver) import Holdfast

/// References whose columns are those of other properties, as in keys that are made of foreign keys.
extension ConformanceCase {
    static let graphSharedColumns: [ConformanceCase] = [
        graph(
            "rel-6.named-reference", "REL-6", "A reference is in the columns that are declared, one or several"
        ) { environment in
            let db = try await environment.open(Chinook.Album.self, Northwind.TenantNote.self)
            let album = Chinook.Album(title: "A", artist: Chinook.Artist(name: "B"))
            try await db.save(album)
            let query: SQLFragment = "SELECT count(\(identifier: "ArtistId")) FROM \(identifier: "Album")"
            try expect(try await db.number(query), equals: 1, "the references in the named column")
            let artist = try expect(some: try await db.fetch(Chinook.Artist.self).first, "the artist")
            try expect(artist.albums.map(\.title), equals: ["A"], "the albums of the artist")
            let note = Northwind.TenantNote(customer: Northwind.TenantCustomer(tenant: 7, id: 8, name: "c"))
            try await db.save(note)
            try expect(
                try await db.number(
                    "SELECT count(*) FROM tenant_note WHERE customer_tenant = 7 AND customer_number = 8"),
                equals: 1, "the references in two named columns")
            let found = try expect(some: try await db.fetch(Northwind.TenantNote.self).first, "the note")
            try expect(found.customer?.name, equals: "c", "the customer")
        },
        graph(
            "rel-6.key-of-references", "REL-6",
            "A key of foreign keys is written with the objects, read with them, and found by its values"
        ) { environment in
            let db = try await environment.open()
            try await createNorthwind(db)
            let order = Northwind.SalesOrder(id: 1, shipName: "s")
            let products = [4, 3].map { Northwind.SoldProduct(id: $0, name: "p\($0)") }
            // The order, the products and then the details: references say which come first.
            order.details = products.map { Northwind.OrderDetail(order: order, product: $0, quantity: 2) }
            try await db.save(order.details)
            let found = try expect(some: try await db.find(Northwind.SalesOrder.self, key: 1), "the order")
            try expect(found.details.compactMap { $0.product?.name }, equals: ["p3", "p4"], "the products")
            try expect(found.details.allSatisfy { $0.order === found }, "A detail leads to another order.")
            let detail = try expect(
                some: try await db.find(Northwind.OrderDetail.self, key: Key(1, 4)), "the detail with a key")
            try expect(detail.product?.id, equals: 4, "the product of the detail")
            detail.quantity = 9
            try await db.save(detail)
            try expect(
                try await db.number("SELECT sum(quantity) FROM order_details WHERE discount = 0"), equals: 11,
                "the quantities, and what the table has besides")
            let named = try await db.query(Northwind.OrderDetail.self).where { $0.product.name == "p3" }.fetch()
            try expect(named.map(\.productID), equals: [3], "the details of a product")
            let values = try await db.query(Northwind.OrderLine.self).where { $0.orderID == 1 }.fetch()
            try expect(values.map(\.quantity), equals: [2, 9], "the values of the same rows")
            // By its values alone, without the objects.
            try await db.delete(detail)
            try await db.save(Northwind.OrderDetail(orderID: 1, productID: 4, quantity: 5))
            try expect(
                try await db.fetch(Northwind.OrderDetail.self).map { $0.order?.shipName }, equals: ["s", "s"],
                "the orders of the details")
        },
        graph(
            "rel-6.disagreement", "REL-6",
            "A reference and the property with its column agree, or the save names both"
        ) { environment in
            let db = try await environment.open(Northwind.OrderDetail.self, Northwind.Employee.self)
            let orders = [1, 2].map { Northwind.SalesOrder(id: $0, shipName: "s\($0)") }
            let product = Northwind.SoldProduct(id: 3, name: "p")
            let detail = Northwind.OrderDetail(order: orders[0], product: product, quantity: 1)
            detail.order = orders[1]
            var error = try await expect(.invalidValue, from: "a new object that contradicts itself") {
                try await db.save(detail)
            }
            try expect(error.properties, equals: ["order", "orderID"], "the properties that the error names")
            detail.order = orders[0]
            try await db.save(detail)
            detail.order = orders[1]
            error = try await expect(.invalidValue, from: "a saved object that contradicts its key") {
                try await db.save(detail)
            }
            try expect(error.properties, equals: ["order", "orderID"], "the properties that the error names")
            let ann = Northwind.Employee(id: 1, lastName: "Ann")
            let bob = Northwind.Employee(id: 2, lastName: "Bob", superior: ann)
            try await db.save([bob])
            // What was not set follows what was.
            bob.superior = Northwind.Employee(id: 3, lastName: "Cid")
            try await db.save(bob)
            try expect(bob.superiorID, equals: 3, "the property that follows the reference")
            try expect(
                try await db.number("SELECT reports_to FROM employees WHERE employee_id = 2"), equals: 3, "the column")
            bob.superiorID = 1
            error = try await expect(.invalidValue, from: "a property that leads elsewhere than its reference") {
                try await db.save(bob)
            }
            try expect(error.properties, equals: ["superior", "superiorID"], "the properties that the error names")
            bob.superior = ann
            try await db.save(bob)
            bob.superior = nil
            try await db.save(bob)
            try expect(bob.superiorID == nil && !bob.isDirty, "The property does not follow its reference to nil.")
            try await db.reload(bob)
            try expect(bob.superior == nil, "The reference leads somewhere.")
            try await db.update(bob, only: \.superior)
        },
        graph(
            "rel-6.generated", "REL-6",
            "A key that the engine makes comes into the keys of the objects that refer to it"
        ) { environment in
            let db = try await environment.open(Northwind.Receipt.self)
            let receipt = Northwind.Receipt()
            receipt.lines = [1, 2].map { Northwind.ReceiptLine(number: $0, text: "t\($0)") }
            try await db.save(receipt)
            let key = try expect(some: receipt.id, "the key of the receipt")
            try expect(receipt.lines.map(\.receiptID), equals: [key, key], "the keys in the lines")
            try expect(receipt.lines.allSatisfy { !$0.isDirty }, "A line is dirty after a save.")
            try await db.transaction { tx in
                let other = Northwind.Receipt()
                other.lines = [Northwind.ReceiptLine(number: 1, text: "u")]
                try await tx.save(other)
                try expect(other.lines[0].receiptID, equals: other.id ?? 0, "the key within a transaction")
            }
            let found = try await db.fetch(Northwind.Receipt.self)
            try expect(found.map { $0.lines.map(\.text) }, equals: [["t1", "t2"], ["u"]], "the lines")
        },
        graph(
            "rel-6.shared-tenant", "REL-6",
            "References share a column with the key of their object, also in a join table"
        ) { environment in
            let db = try await environment.open(Northwind.TenantInvoice.self, Northwind.TenantProfile.self)
            try expect(
                try await db.schemaPlan(for: Northwind.TenantInvoice.self).steps.isEmpty, "The plan has steps.")
            let customers = [1, 2].map { Northwind.TenantCustomer(tenant: 7, id: $0, name: "c\($0)") }
            let invoice = Northwind.TenantInvoice(tenant: 7, number: 1, customer: customers[1])
            invoice.watchers = customers
            try await db.save(invoice)
            let found = try expect(some: try await db.fetch(Northwind.TenantInvoice.self).first, "the invoice")
            try expect(found.customer?.name, equals: "c2", "the customer")
            try expect(found.watchers.map(\.name), equals: ["c1", "c2"], "the watchers")
            found.watchers.removeFirst()
            found.customer = nil
            try await db.save(found)
            try expect(
                try await db.number(
                    "SELECT count(*) FROM tenant_invoice WHERE tenant = 7 AND customer_id IS NULL"), equals: 1,
                "the invoices without a customer")
            try expect(
                try await db.numbers("SELECT customer_id FROM tenant_invoice_watcher WHERE tenant = 7"), equals: [2],
                "the watchers that are left")
            found.customer = Northwind.TenantCustomer(tenant: 8, id: 1, name: "d")
            var error = try await expect(.invalidValue, from: "a customer of another tenant") {
                try await db.save(found)
            }
            try expect(error.properties, equals: ["customer", "tenant"], "the properties that the error names")
            found.customer = nil
            found.watchers = [Northwind.TenantCustomer(tenant: 8, id: 1, name: "d")]
            error = try await expect(.invalidValue, from: "a watcher of another tenant") { try await db.save(found) }
            try expect(error.properties, equals: ["watchers", "tenant"], "the properties that the error names")
            let profile = Northwind.TenantProfile(customer: customers[0], text: "x")
            try await db.save(profile)
            let same = try await db.fetch(Northwind.TenantProfile.self)
            try expect(same.map { $0.customer?.name }, equals: ["c1"], "the customers of profiles mapped by hand")
        },
        graph(
            "rel-6.statements", "REL-6", "A graph with keys of foreign keys loads in one statement for each relation"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Northwind.SalesOrder.self) { probe.attach(to: &$0) }
            let product = Northwind.SoldProduct(id: 1, name: "p")
            let orders = (1...20).map { Northwind.SalesOrder(id: $0, shipName: "s") }
            for order in orders {
                order.details = [Northwind.OrderDetail(order: order, product: product, quantity: 1)]
            }
            try await db.save(orders)
            _ = probe.take()
            let found = try await db.fetch(Northwind.SalesOrder.self)
            try expect(probe.take().count, equals: 3, "the statements: orders, details, products")
            try expect(found.flatMap(\.details).count, equals: 20, "the details")
            try await db.delete(found[0])
            try expect(try await db.count(Northwind.OrderDetail.self), equals: 19, "the details that are left")
        },
    ]

    private static func createNorthwind(_ db: Database) async throws {
        try await db.sql("CREATE TABLE orders (order_id smallint NOT NULL PRIMARY KEY, ship_name varchar(40))")
            .execute()
        try await db.sql("CREATE TABLE products (product_id smallint NOT NULL PRIMARY KEY, product_name varchar(40))")
            .execute()
        try await db.sql(
            """
            CREATE TABLE order_details (
                order_id smallint NOT NULL REFERENCES orders, product_id smallint NOT NULL REFERENCES products,
                quantity smallint NOT NULL, discount real DEFAULT 0 NOT NULL, PRIMARY KEY (order_id, product_id))
            """
        ).execute()
    }
}
