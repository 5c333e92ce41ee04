import Holdfast

/// Tables of other schemas, and of attached files.
extension ConformanceCase {
    static let sch12: [ConformanceCase] = [
        ConformanceCase(
            "sch-12.objects", "SCH-12",
            "Objects of another schema are saved and found there, and nowhere else",
            requires: [.describingSchemas]
        ) { environment in
            let (db, order, _) = try await saveOrder(environment)
            let found = try expect(some: try await db.find(Sales.Order.self, key: order.id ?? 0), "the order")
            try expect(found.customer?.name, equals: "Ada", "its customer")
            try expect(found.tags, equals: ["b", "a", "b"], "its values")
            try expect(found.items.map(\.name), equals: ["pen", "ink"], "its objects of the other schema")
            try expect(found.lines.map(\.text).sorted(), equals: ["first", "second"], "its lines")
            try expect(
                try await db.number(
                    "SELECT count(*) FROM \(Sales.Order.self) WHERE \(column: \Sales.Order.number) > ''"),
                equals: 1, "the rows by SQL")
            let twice = try await expect(.uniqueViolation, from: "a second order with the number") {
                try await db.insert(Sales.Order(number: "1"))
            }
            try expect(twice.table, equals: "holdfast_sales.orders", "the table that the error names")
            try expect(twice.properties, equals: ["number"], "the property that the error names")
        },
        ConformanceCase(
            "sch-12.queries", "SCH-12",
            "Objects of another schema are saved many at a time, queried, changed and upserted",
            requires: [.describingSchemas]
        ) { environment in
            let (db, order, ada) = try await saveOrder(environment)
            let orders = db.query(Sales.Order.self)
            let others = (2...100).map { Sales.Order(number: "\($0)", customer: ada) }
            try await db.insert(others)
            for order in others { order.amount = 5 }
            try await db.save(others)
            try expect(try await orders.where { $0.amount == 5 }.count(), equals: 99, "the orders changed together")
            try expect(
                try await orders.where { $0.customer.name == "Ada" && $0.lines.count > 1 }.fetch().map(\.number),
                equals: ["1"], "the orders by what they hold")
            try expect(
                try await db.query(Sales.Customer.self).where { $0.orders.contains { $0.tags.contains { $0 == "a" } } }
                    .count(), equals: 1, "the customers by what their orders hold")
            try expect(
                try await orders.where { $0.items.contains { $0.name == "ink" } }.update { $0.amount += 7 }, equals: 1,
                "the orders changed by a query")
            let again = Sales.Order(number: "1")
            again.amount = 9
            try await db.upsert(again, on: \.number)
            try expect(
                try await db.find(Sales.Order.self, key: order.id ?? 0)?.amount, equals: 9, "the upserted amount")
            try expect(try await db.query(Sales.Errand.self).fetch().map(\.number), equals: ["1", "2"], "the errands")
        },
        ConformanceCase(
            "sch-12.deletions", "SCH-12",
            "Objects of another schema are deleted there, with what they hold, and nowhere else",
            requires: [.describingSchemas]
        ) { environment in
            let (db, order, ada) = try await saveOrder(environment)
            let orders = db.query(Sales.Order.self)
            try await db.insert((2...100).map { Sales.Order(number: "\($0)", customer: ada) })
            try await db.save(Sales.Order(number: "gone"))
            // The table of tags has no ON DELETE CASCADE, and no declared name.
            order.tags = []
            try await db.save(order)
            try await db.reload(order)
            try await db.delete(order)
            try expect(try await db.count(Sales.Line.self), equals: 0, "the lines of an order that was deleted")
            try expect(try await orders.where { $0.number == "gone" }.delete(), equals: 1, "the orders deleted")
            try expect(try await orders.count(), equals: 99, "the orders that are left")
            for table in ["orders_tags", "order_item"] {
                try expect(
                    try await db.number("SELECT count(*) FROM \(identifier: Sales.schema).\(identifier: table)"),
                    equals: 0, "the rows of \(table)")
            }
            try expect(try await db.deleteAll(Sales.Order.self), equals: 99, "all orders")
            try expect(try await db.count(Sales.Errand.self), equals: 2, "the errands, which stay")
            try expect(
                try await db.query(Sales.Errand.self).fetch()[1].tags, equals: ["own"], "the values of an errand")
        },
        ConformanceCase(
            "sch-12.migration", "SCH-12",
            "Migrations look at tables of other schemas, and change none of them",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(withSchema: Sales.schema)
            try await Sales.make(db)
            let before = try await db.schema(Sales.schema).tables
            try await expect(.notMigrated, from: "counting objects without a table, of which another schema has one") {
                _ = try await db.count(Sales.Errand.self)
            }
            try await expect(.notMigrated, from: "inserting such an object") {
                try await db.insert(Sales.Errand(number: "1"))
            }
            let errands = try await db.schemaPlan(for: Sales.Errand.self)
            try expect(
                errands.steps.allSatisfy { !$0.sql.contains(Sales.schema) }, "A step names a table of the other schema."
            )
            try await db.adopt(Sales.Order.self)
            try expect(try await db.migrate(Sales.Errand.self), equals: errands, "what was done")
            try expect(try await db.migrate(Sales.Errand.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Sales.Errand.self), equals: [], "the drift")
            try expect(try await db.schema(Sales.schema).tables, equals: before, "the tables of the other schema")
        },
        ConformanceCase(
            "sch-12.migration-refused", "SCH-12",
            "Migrations refuse what tables of other schemas lack by table and property, and change and drop none of them",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(withSchema: Sales.schema)
            try await Sales.make(db)
            let before = try await db.schema(Sales.schema).tables
            let missing = try await expect(.conflict, from: "migrating a type without a table") {
                try await db.migrate(Sales.Missing.self)
            }
            try expect(missing.table, equals: "holdfast_sales.missing", "the table that does not exist")
            let detailed = try await expect(.conflict, from: "migrating a type with another column") {
                _ = try await db.schemaPlan(for: Sales.Detailed.self)
            }
            try expect(detailed.table, equals: "holdfast_sales.customer", "the table of the column")
            try expect(detailed.properties, equals: ["birthday"], "the property of the column")
            let demanding = try await expect(.conflict, from: "a delete rule that needs a trigger there") {
                try await db.adopt(Sales.Demanding.self)
            }
            try expect(demanding.properties, equals: ["order"], "the property of the rule")
            try await expect(.conflict, from: "migrating a type without a schema") {
                try await db.migrate(Sales.Nowhere.self)
            }
            try await expect(.conflict, from: "dropping a table of another schema") {
                try await db.dropTable(Sales.Order.self)
            }
            try await expect(.conflict, from: "dropping an index of another schema") {
                try await db.dropIndex(on: Sales.Order.self, of: "number")
            }
            try expect(try await db.schema(Sales.schema).tables, equals: before, "the tables after what was refused")
        },
        ConformanceCase(
            "sch-12.references", "SCH-12",
            "References lead from one schema to another, with a foreign key where the engine can have one",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(withSchema: Sales.schema)
            try await Sales.make(db)
            try await db.migrate(Sales.Errand.self)
            let (a, b) = (Sales.Order(number: "a"), Sales.Order(number: "b"))
            let errand = Sales.Errand(number: "1", order: a)
            errand.related = [b, a, b]
            try await db.save(errand)
            let found = try expect(some: try await db.query(Sales.Errand.self).first(), "the errand")
            try expect(found.order?.number, equals: "a", "what it refers to")
            try expect(found.related.map(\.number), equals: ["b", "a", "b"], "what it holds")
            try expect(
                try await db.query(Sales.Errand.self).where { $0.order.number == "a" }.count(), equals: 1,
                "the errands by what they refer to")
            guard db.capabilities.refersAcrossSchemas else {
                let error = try await expect(.unsupported, from: "a foreign key to another file") {
                    try await db.migrate(Sales.Invoice.self)
                }
                try expect(error.properties, equals: ["order"], "the property that the error names")
                return
            }
            try await db.migrate(Sales.Invoice.self)
            let key = try await db.schema().table("sales_invoice")?.foreignKeys.first
            try expect([key?.schema, key?.table], equals: [Sales.schema, "orders"], "where the foreign key leads")
            try expect(try await db.migrate(Sales.Invoice.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Sales.Invoice.self), equals: [], "the drift")
            try await db.save(Sales.Invoice(order: b))
            try await db.delete(b)
            try expect(
                try await db.query(Sales.Invoice.self).first()?.order == nil, "An invoice has an order that is gone.")
        },
    ]

    /// Saves an order with all that it holds to another schema, and errands with the same numbers to the program's own.
    private static func saveOrder(
        _ environment: ConformanceEnvironment
    ) async throws -> (Database, order: Sales.Order, customer: Sales.Customer) {
        let db = try await environment.open(withSchema: Sales.schema)
        try await Sales.make(db)
        try await db.migrate(Sales.Errand.self, Sales.Item.self)
        let ada = Sales.Customer(name: "Ada")
        let order = Sales.Order(number: "1", customer: ada)
        (order.tags, order.items) = (["b", "a", "b"], [Sales.Item(name: "pen"), Sales.Item(name: "ink")])
        order.lines = [Sales.Line(text: "first"), Sales.Line(text: "second")]
        try await db.save(order)
        try await db.save(Sales.Errand(number: "1"))
        let errand = Sales.Errand(number: "2")
        errand.tags = ["own"]
        try await db.save(errand)
        return (db, order, ada)
    }
}
