import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The rest of Northwind in its edition for SQLite: suppliers, shippers, and kinds of customers.
@Suite struct NorthwindPartnersTests {
    @Table("Suppliers") final class Supplier {
        @PrimaryKey(.database) @Column("SupplierID") var id: Int?
        @Column("CompanyName") var company: String
        @Column("HomePage") var homePage: String?
        @Relation(inverse: \Product.supplier, loading: .eager) var products: [Product] = []
        init(_ company: String) { self.company = company }
    }

    @Table("Products") final class Product {
        @PrimaryKey(.database) @Column("ProductID") var id: Int?
        @Column("ProductName") var name: String
        @Column("SupplierID") var supplier: Supplier?
        init(_ name: String) { self.name = name }
    }

    @Table("Shippers") final class Shipper {
        @PrimaryKey(.database) @Column("ShipperID") var id: Int?
        @Column("CompanyName") var company: String
        @Column("Phone") var phone: String?
        @Relation(inverse: \Order.shipper, loading: .eager) var orders: [Order] = []
        init(_ company: String) { self.company = company }
    }

    @Table("Orders") final class Order {
        @PrimaryKey(.database) @Column("OrderID") var id: Int?
        @Column("ShipVia") var shipper: Shipper?
        @Column("Freight") var freight: Decimal?
        @Column("ShippedDate", storage: .text) var shippedDate: Date?
        init() {}
    }

    @Table("CustomerDemographics") final class Kind {
        @PrimaryKey @Column("CustomerTypeID") let id: String
        @Column("CustomerDesc") var summary: String?
        init(id: String) { self.id = id }
    }

    @Table("Customers") final class Customer {
        @PrimaryKey @Column("CustomerID") let id: String
        @Relation(
            joinTable: .named("CustomerCustomerDemo", owner: "CustomerID", element: "CustomerTypeID", position: nil))
        var kinds: [Kind] = []
        init(id: String) { self.id = id }
    }

    private static let statements = """
        CREATE TABLE [Suppliers]([SupplierID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CompanyName] TEXT NOT NULL,
            [HomePage] TEXT);
        CREATE TABLE [Products]([ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [ProductName] TEXT NOT NULL,
            [SupplierID] INTEGER, FOREIGN KEY ([SupplierID]) REFERENCES [Suppliers] ([SupplierID])
            ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Shippers]([ShipperID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CompanyName] TEXT NOT NULL,
            [Phone] TEXT);
        CREATE TABLE [Orders]([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [ShippedDate] DATETIME,
            [ShipVia] INTEGER, [Freight] NUMERIC DEFAULT 0, FOREIGN KEY ([ShipVia]) REFERENCES [Shippers] ([ShipperID])
            ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [CustomerDemographics]([CustomerTypeID] TEXT NOT NULL, [CustomerDesc] TEXT,
            PRIMARY KEY ("CustomerTypeID"));
        CREATE TABLE [Customers]([CustomerID] TEXT, PRIMARY KEY (`CustomerID`));
        CREATE TABLE [CustomerCustomerDemo]([CustomerID] TEXT NOT NULL, [CustomerTypeID] TEXT NOT NULL,
            PRIMARY KEY ("CustomerID","CustomerTypeID"), FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID])
            ON DELETE NO ACTION ON UPDATE NO ACTION, FOREIGN KEY ([CustomerTypeID])
            REFERENCES [CustomerDemographics] ([CustomerTypeID]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        INSERT INTO Suppliers VALUES (1, 'Exotic Liquids', NULL);
        INSERT INTO Products VALUES (1, 'Chai', 1), (2, 'Chang', 1);
        INSERT INTO Shippers VALUES (3, 'Federal Shipping', '(503) 555-9931');
        INSERT INTO Orders VALUES (10248, '2016-07-16 00:00:00', 3, 32.38), (10249, NULL, NULL, 0);
        INSERT INTO CustomerDemographics VALUES ('retail', NULL);
        INSERT INTO Customers VALUES ('ALFKI');
        INSERT INTO CustomerCustomerDemo VALUES ('ALFKI', 'retail');
        """.split(separator: ";\n").map(String.init)

    @Test func `partners are adopted, read, written and queried`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in Self.statements { try await db.sql("\(unsafe: sql)").execute() }
            let schema = Schema(
                types: [],
                adopting: [Supplier.self, Product.self, Shipper.self, Order.self, Kind.self, Customer.self])
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)

            let supplier = try #require(try await db.find(Supplier.self, key: 1))
            #expect(supplier.products.map(\.name).sorted() == ["Chai", "Chang"] && supplier.homePage == nil)
            let order = try #require(try await db.find(Order.self, key: 10248))
            #expect(order.freight == Decimal(string: "32.38") && order.shipper?.orders.first === order)
            #expect(order.shippedDate == Date(timeIntervalSince1970: 1_468_627_200))
            #expect(try await db.find(Customer.self, key: "ALFKI")?.kinds.map(\.id) == ["retail"])
            #expect(try await db.query(Order.self).where { $0.shipper == nil }.fetch().map(\.id) == [10249])
            #expect(
                try await db.query(Product.self).where { $0.supplier.company == "Exotic Liquids" }.count()
                    == db.sql("SELECT count(*) FROM Products WHERE SupplierID = 1").fetch(as: Int.self).first)

            supplier.products.append(Product("Aniseed Syrup"))
            try await db.save(supplier)
            let customer = Customer(id: "ANATR")
            customer.kinds = [Kind(id: "wholesale"), try #require(try await db.find(Kind.self, key: "retail"))]
            try await db.save(customer)
            #expect(try await db.query(Customer.self).where { $0.kinds.contains { $0.id == "retail" } }.count() == 2)
            customer.kinds.removeLast()
            try await db.save(customer)
            #expect(try await db.sql("SELECT count(*) FROM CustomerCustomerDemo").fetch(as: Int.self) == [2])
            #expect(try await db.query(Product.self).where { $0.supplier.company == "Exotic Liquids" }.count() == 3)
            let refused = await #expect(throws: DatabaseError.self) { try await db.delete(supplier) }
            #expect(refused?.code == .foreignKeyViolation)
            #expect(try await db.sql("PRAGMA foreign_key_check").fetch().isEmpty)
        }
    }
}
