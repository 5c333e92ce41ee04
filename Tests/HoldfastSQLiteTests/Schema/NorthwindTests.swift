import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The tables of Northwind in its edition for SQLite, as its authors declare them: with natural types.
@Suite struct NorthwindTests {
    @Table("Categories") final class Category {
        @PrimaryKey(.database) @Column("CategoryID") var id: Int?
        @Column("CategoryName") var name: String?
        @Column("Picture") var picture: Data?
        init(_ name: String) { self.name = name }
    }

    @Table("Customers") final class Customer {
        @PrimaryKey @Column("CustomerID") let id: String
        @Column("CompanyName") var company: String?
        init(id: String, _ company: String) { (self.id, self.company) = (id, company) }
    }

    @Table("Regions") final class Region {
        @PrimaryKey @Column("RegionID") let id: Int
        @Column("RegionDescription") var name: String
        init(id: Int, _ name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("Territories") final class Territory {
        @PrimaryKey @Column("TerritoryID") let id: String
        @Column("TerritoryDescription") var name: String
        @Column("RegionID") var region: Region?
        init(id: String, _ name: String, _ region: Region) { (self.id, self.name, self.region) = (id, name, region) }
    }

    @Table("Employees") final class Employee {
        @PrimaryKey(.database) @Column("EmployeeID") var id: Int?
        @Column("LastName") var lastName: String?
        @Column("BirthDate", storage: .text) var birthDate: Date?
        @Column("ReportsTo") var superior: Employee?
        @Relation(joinTable: .named("EmployeeTerritories", owner: "EmployeeID", element: "TerritoryID", position: nil))
        var territories: [Territory] = []
        init(_ lastName: String, bornOn date: Date) { (self.lastName, birthDate) = (lastName, date) }
    }

    @Table("Products") final class Product {
        @PrimaryKey(.database) @Column("ProductID") var id: Int?
        @Column("ProductName") var name: String
        @Column("CategoryID") var category: Category?
        @Column("UnitPrice") var price: Decimal?
        @Column("UnitsInStock") var stock: Int16?
        @Column("Discontinued", storage: .words(true: "1", false: "0")) var isDiscontinued = false
        init(_ name: String, _ category: Category, _ price: Decimal) {
            (self.name, self.category, self.price) = (name, category, price)
        }
    }

    @Table("Orders") final class Order {
        @PrimaryKey(.database) @Column("OrderID") var id: Int?
        @Column("CustomerID") var customer: Customer?
        @Column("EmployeeID") var employee: Employee?
        @Column("OrderDate", storage: .text) var date: Date?
        @Column("ShippedDate", storage: .text) var shipped: Date?
        @Column("Freight") var freight: Decimal?
        @Relation(inverse: \OrderLine.order, loading: .eager) var lines: [OrderLine] = []
        init(_ customer: Customer, _ employee: Employee, on date: Date) {
            (self.customer, self.employee, self.date) = (customer, employee, date)
        }
    }

    @Table("Order Details") final class OrderLine {
        @PrimaryKey @Column("OrderID") var orderID: Int = 0
        @PrimaryKey @Column("ProductID") var productID: Int
        @Column("OrderID") var order: Order?
        @Column("ProductID") var product: Product?
        @Column("UnitPrice") var price: Decimal
        @Column("Quantity") var quantity: Int
        @Column("Discount") var discount: Double
        init(_ product: Product, _ quantity: Int, discount: Double = 0) {
            (self.product, productID) = (product, product.id ?? 0)
            (price, self.quantity, self.discount) = (product.price ?? 0, quantity, discount)
        }
    }

    @Table("Product Sales", readOnly: true) struct Sales {
        @PrimaryKey @Column("ProductName") var product: String
        @Column("Sold") var sold: Double
    }

    static let tables = """
        CREATE TABLE [Categories]([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT,
            [Description] TEXT, [Picture] BLOB);
        CREATE TABLE [Customers]([CustomerID] TEXT, [CompanyName] TEXT, [Phone] TEXT, PRIMARY KEY (`CustomerID`));
        CREATE TABLE [Regions]([RegionID] INTEGER NOT NULL PRIMARY KEY, [RegionDescription] TEXT NOT NULL);
        CREATE TABLE [Territories]([TerritoryID] TEXT NOT NULL, [TerritoryDescription] TEXT NOT NULL,
            [RegionID] INTEGER NOT NULL, PRIMARY KEY ("TerritoryID"),
            FOREIGN KEY ([RegionID]) REFERENCES [Regions] ([RegionID]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Employees]([EmployeeID] INTEGER PRIMARY KEY AUTOINCREMENT, [LastName] TEXT, [FirstName] TEXT,
            [BirthDate] DATE, [Photo] BLOB, [ReportsTo] INTEGER NULL,
            FOREIGN KEY ([ReportsTo]) REFERENCES [Employees] ([EmployeeID]));
        CREATE TABLE [EmployeeTerritories]([EmployeeID] INTEGER NOT NULL, [TerritoryID] TEXT NOT NULL,
            PRIMARY KEY ("EmployeeID", "TerritoryID"),
            FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]),
            FOREIGN KEY ([TerritoryID]) REFERENCES [Territories] ([TerritoryID]));
        CREATE TABLE [Products]([ProductID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [ProductName] TEXT NOT NULL,
            [CategoryID] INTEGER, [UnitPrice] NUMERIC DEFAULT 0, [UnitsInStock] INTEGER DEFAULT 0,
            [Discontinued] TEXT NOT NULL DEFAULT '0', CHECK ([UnitPrice] >= (0)),
            FOREIGN KEY ([CategoryID]) REFERENCES [Categories] ([CategoryID]));
        CREATE TABLE [Orders]([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CustomerID] TEXT,
            [EmployeeID] INTEGER, [OrderDate] DATETIME, [ShippedDate] DATETIME, [Freight] NUMERIC DEFAULT 0,
            FOREIGN KEY ([EmployeeID]) REFERENCES [Employees] ([EmployeeID]),
            FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]));
        CREATE TABLE [Order Details]([OrderID] INTEGER NOT NULL, [ProductID] INTEGER NOT NULL,
            [UnitPrice] NUMERIC NOT NULL DEFAULT 0, [Quantity] INTEGER NOT NULL DEFAULT 1,
            [Discount] REAL NOT NULL DEFAULT 0, PRIMARY KEY ("OrderID", "ProductID"),
            CHECK ([Discount] >= (0) AND [Discount] <= (1)),
            FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]),
            FOREIGN KEY ([ProductID]) REFERENCES [Products] ([ProductID]));
        CREATE VIEW [Product Sales] AS SELECT p.[ProductName], sum(d.[UnitPrice] * d.[Quantity]) AS [Sold]
            FROM [Products] p JOIN [Order Details] d USING ([ProductID]) GROUP BY p.[ProductID];
        INSERT INTO [Employees] ([LastName], [BirthDate]) VALUES ('Fuller', '1972-02-19');
        INSERT INTO [Customers] VALUES ('VINET', 'Vins et alcools Chevalier', NULL);
        INSERT INTO [Orders] VALUES (10248, 'VINET', 1, '2016-07-04', '2016-07-16 08:30:00', 32.38);
        INSERT INTO [Categories] ([CategoryName], [Picture]) VALUES ('Beverages', x'151C');
        INSERT INTO [Products] ([ProductName], [CategoryID], [UnitPrice], [Discontinued])
            VALUES ('Chai', 1, 18, '0'), ('Guaraná', 1, 4.5, '1');
        INSERT INTO [Order Details] VALUES (10248, 1, 14.4, 12, 0.05), (10248, 2, 9.8, 10, 0.0);
        """

    @Test func `all tables are adopted, read, written and queried`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in Self.tables.split(separator: ";\n") { try await db.sql("\(unsafe: String(sql))").execute() }
            let schema = Schema(
                adopting: [
                    Category.self, Customer.self, Region.self, Territory.self, Employee.self, Product.self, Order.self,
                    OrderLine.self, Sales.self,
                ])
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)

            let order = try #require(try await db.find(Order.self, key: 10248))
            #expect(order.customer?.company == "Vins et alcools Chevalier" && order.employee?.lastName == "Fuller")
            #expect(order.date == Date(timeIntervalSince1970: 1_467_590_400))
            #expect(order.shipped == Date(timeIntervalSince1970: 1_468_657_800))
            #expect(order.freight == Decimal(string: "32.38"))
            #expect(order.lines.compactMap(\.product?.name).sorted() == ["Chai", "Guaraná"])
            #expect(Set(order.lines.map(\.price)) == [Decimal(string: "14.4"), Decimal(string: "9.8")])
            let drink = try #require(order.lines.first { $0.product?.name == "Guaraná" }?.product)
            #expect(drink.isDiscontinued && drink.category?.picture == Data([0x15, 0x1C]))

            let boss = try #require(order.employee)
            #expect(boss.birthDate == Date(timeIntervalSince1970: 67_305_600))
            let clerk = Employee("Davolio", bornOn: Date(timeIntervalSince1970: 0))
            clerk.superior = boss
            clerk.territories = [Territory(id: "06897", "Wilton", Region(id: 1, "Eastern"))]
            let customer = Customer(id: "ALFKI", "Alfreds Futterkiste")
            let new = Order(customer, clerk, on: Date(timeIntervalSince1970: 1_700_000_000))
            (new.freight, drink.isDiscontinued) = (Decimal(string: "1.25"), false)
            new.lines = [OrderLine(drink, 3, discount: 0.25)]
            try await db.save(new)
            #expect(new.id == 10249 && new.lines[0].orderID == 10249)

            let dates = try await db.sql("SELECT OrderDate FROM Orders ORDER BY 1").fetch(as: String.self)
            #expect(dates == ["2016-07-04", "2023-11-14 22:13:20"])
            let kinds = try await db.sql(
                "SELECT typeof(Freight) || typeof(Discontinued) FROM Orders, Products WHERE OrderID = 10249 AND ProductID = 2"
            ).fetch(as: String.self)
            #expect(kinds == ["realtext"])
            let late = Date(timeIntervalSince1970: 1_600_000_000)
            #expect(try await db.query(Order.self).where { $0.date > late }.fetch().map(\.id) == [10249])
            #expect(try await db.query(Order.self).where { $0.freight > 30 && $0.shipped != nil }.count() == 1)
            #expect(try await db.query(Product.self).where { $0.isDiscontinued == false }.count() == 2)
            #expect(try await db.query(OrderLine.self).where { $0.product.name == "Guaraná" }.count() == 2)
            #expect(try await db.query(Employee.self).where { $0.superior.lastName == "Fuller" }.count() == 1)
            let territories = db.query(Employee.self).where {
                $0.territories.contains { $0.name == "Wilton" }
            }
            #expect(try await territories.fetch().map(\.lastName) == ["Davolio"])
            #expect(try await db.fetch(Sales.self).first { $0.product == "Chai" }?.sold == 172.8)

            drink.price = -1
            let refused = await #expect(throws: DatabaseError.self) { try await db.save(drink) }
            #expect(refused?.code == .checkViolation)
            let denied = await #expect(throws: DatabaseError.self) { _ = try await db.delete(customer) }
            #expect(denied?.code == .foreignKeyViolation)
        }
    }
}
