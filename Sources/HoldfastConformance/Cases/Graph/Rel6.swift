import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel6: [ConformanceCase] = [
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
        graph(
            "rel-6.unique-property", "REL-6",
            "A reference holds a unique property of its target, and is written and loaded as any other"
        ) { environment in
            let db = try await environment.open(Hamlet.self)
            _ = try await db.insert(Hamlet(id: nil, name: "before"))
            try await db.migrate(Land.self)
            _ = try await db.query(Hamlet.self).delete()
            try expect(try await db.migrate(Town.self).steps, equals: [], "the steps of a second time")
            let key = try await db.schema().table("town")?.foreignKeys.first { $0.columns == ["land_code"] }
            try expect(key?.targetColumns, equals: ["code"], "the columns of the foreign key")
            try expect(try await db.drift(Town.self), equals: [], "the drift")

            let (chile, _, towns) = try await saveTowns(db)
            let held = try await db.sql("SELECT land_code FROM town ORDER BY name").fetch(as: String?.self)
            try expect(held, equals: ["cl", "cl", nil, "pe"], "what the references hold")

            let found = try await db.query(Town.self).order(\.name).fetch()
            try expect(found.map { $0.land?.name }, equals: ["Chile", "Chile", nil, "Peru"], "the lands")
            try expect(found[0].land === found[1].land, "One row is two instances.")
            try expect(found[0].land?.towns.map(\.name).sorted(), equals: ["Arica", "Iquique"], "the other side")
            try expect(found[0].twin === found[3] && found[2].twin === found[0], "A reference of the table to itself.")
            let one = try expect(some: try await db.find(Town.self, key: towns[0].id ?? 0), "a town")
            try expect(one.land?.towns.contains { $0 === one } == true, "The other side leads to another instance.")
            let land = try expect(some: try await db.find(Land.self, key: chile.id ?? 0), "a land")
            try expect(land.towns.allSatisfy { $0.land === land }, "A town of the land leads to another instance.")
        },
        graph(
            "rel-6.unique-property-changes", "REL-6",
            "A reference that holds a unique property is changed from both sides, and keeps what it holds from changing"
        ) { environment in
            let db = try await environment.open(Land.self)
            let (chile, peru, _) = try await saveTowns(db)
            let found = try await db.query(Town.self).order(\.name).fetch()
            let land = try expect(some: try await db.find(Land.self, key: chile.id ?? 0), "a land")
            // From the other side.
            let gone = try expect(some: land.towns.first { $0.name == "Iquique" }, "a town")
            land.towns.removeAll { $0 === gone }
            land.towns.append(Town("Calama"))
            try await db.save(land)
            try await db.reload(gone)
            try expect(gone.land == nil, "The town that was let go still leads there.")
            let after = try await db.sql("SELECT name FROM town WHERE land_code = 'cl' ORDER BY name").fetch(
                as: String.self)
            try expect(after, equals: ["Arica", "Calama"], "the towns of the land")
            found[1].land = found[3].land
            try await db.save(found[1])
            try await db.reload(found[1])
            try expect(found[1].land?.code, equals: "pe", "the other land")

            try await expect(.foreignKeyViolation, from: "another value of what references hold") {
                land.code = "ch"
                try await db.save(land)
            }
            try await db.delete(peru)
            try expect(
                try await db.query(Town.self).where { $0.land == nil }.count(), equals: 3, "the towns without one")
            try await expect(.unsupported, from: "objects of a statement that does not translate") {
                _ = try await db.sql("SELECT * FROM town").fetch(Town.self)
            }
            let (left, right) = (Town("left"), Town("right"))
            (left.twin, right.twin) = (right, left)
            try await expect(.conflict, from: "a cycle of new objects") { try await db.save(left) }
        },
        graph(
            "rel-6.unique-property-queries", "REL-6", "Conditions, orders, updates and pages follow such a reference"
        ) { environment in
            let db = try await environment.open(Land.self)
            let lands = ["a", "b", "c"].map { Land($0, "land \($0)") }
            let towns = (0..<6).map { Town("t\($0)", $0 == 5 ? nil : lands[$0 % 2]) }
            towns[1].twin = towns[0]
            try await db.save(towns)
            try await db.save(lands[2])
            func count(_ condition: @escaping (Columns<Town>) -> Condition) async throws -> Int {
                try await db.query(Town.self).where { condition($0) }.count()
            }
            let counts = [
                try await count { $0.land == lands[0] }, try await count { $0.land != lands[0] },
                try await count { $0.land.hasKey(lands[1].id ?? 0) },
                try await count { $0.land.in([lands[0], lands[2]]) },
                try await count { $0.land.code == "b" }, try await count { $0.land.name == "land a" },
                try await count { $0.land == nil }, try await count { $0.twin.land.code == "a" },
            ]
            try expect(counts, equals: [3, 3, 2, 3, 2, 3, 1, 1], "the numbers of towns that meet conditions")
            let some = [
                try await db.query(Land.self).where { $0.towns.contains { $0.name == "t1" } }.fetch().map(\.code),
                try await db.query(Land.self).where { $0.towns.count > 2 }.fetch().map(\.code),
                try await db.query(Land.self).where { $0.towns.isEmpty }.fetch().map(\.code),
                try await db.query(Land.self).unreferenced(by: \Town.land).fetch().map(\.code),
            ]
            try expect(some, equals: [["b"], ["a"], ["c"], ["c"]], "the lands whose towns meet conditions")
            let ordered = try await db.query(Town.self).order { [$0.land.name.descending, $0.name.ascending] }.fetch()
            try expect(ordered.map(\.name), equals: ["t1", "t3", "t0", "t2", "t4", "t5"], "the towns in order")
            let page = try await db.query(Town.self).order { [$0.land.code.descending] }.page(size: 3)
            try expect(page.objects.map { $0.land?.code }, equals: ["b", "b", "a"], "the lands of a page")
            let (a, c) = (lands[0], lands[2])
            let updated = try await db.query(Town.self).where { $0.land == a }.update { $0.land.set(c) }
            try expect(updated, equals: 3, "the updated towns")
            try expect(try await count { $0.land.code == "c" }, equals: 3, "the towns that were given another land")
            let gone = try await db.query(Town.self).where { $0.land.name == "land c" }.delete()
            try expect(gone, equals: 3, "the deleted towns")
            let rest = Town("t1", lands[1])
            try await db.upsert(rest, on: \.name)
            try expect(rest.id, equals: towns[1].id, "the row of an upsert")
            try expect(try await db.count(Town.self), equals: 3, "the towns that are left")
        },
        graph(
            "rel-6.unique-property-rules", "REL-6", "Delete rules follow such a reference, from both sides"
        ) { environment in
            let db = try await environment.open(Flag.self)
            let lands = ["a", "b", "c", "d"].map { Land($0) }
            let flags = lands.dropLast().map { Flag($0) }
            lands[0].towns = [Town("t")]
            try await db.save(flags)
            try await db.save(lands[3])
            try await db.delete(flags[0])
            try await db.sql("DELETE FROM flag WHERE land_code = 'b'").execute()
            let left = try await db.query(Land.self).order(\.code).fetch().map(\.code)
            try expect(left, equals: ["c", "d"], "the lands whose flags were not deleted")
            let town = try expect(some: try await db.fetch(Town.self).first, "the town")
            try expect(town.land == nil, "The town leads to a land that is gone.")
            town.land = try expect(some: try await db.query(Land.self).where { $0.code == "d" }.first(), "a land")
            try await db.save(town)
            try await db.delete(town, including: ["land"])
            try expect(try await db.fetch(Land.self).map(\.code), equals: ["c"], "the lands that are left")
            try await db.delete(flags[2], keeping: [\.land])
            try expect(try await db.fetch(Land.self).map(\.code), equals: ["c"], "the land that was to be kept")
            for type in [Misplaced.ByName.self, Misplaced.ByReference.self, Misplaced.Unchecked.self]
                as [any TableObject.Type]
            {
                let error = try await expect(.conflict, from: "\(type)") { try await db.migrate(type) }
                try expect(error.properties, equals: ["land"], "the property that the error names")
            }
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

    /// Saves two lands, and towns of which one is of no land.
    private static func saveTowns(_ db: Database) async throws -> (chile: Land, peru: Land, towns: [Town]) {
        let (chile, peru) = (Land("cl", "Chile"), Land("pe", "Peru"))
        let towns = [Town("Arica", chile), Town("Tacna", peru), Town("Iquique", chile), Town("Nowhere")]
        towns[0].twin = towns[1]
        towns[3].twin = towns[0]
        try await db.save(towns)
        return (chile, peru, towns)
    }
}
