import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// The tables of Northwind in its edition for PostgreSQL, as its authors declare them: keys of the caller, some of them
/// texts of no declared length, keys made of foreign keys, and Booleans as numbers.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct NorthwindTests {
    @Table("categories") final class Category {
        @PrimaryKey @Column("category_id") let id: Int16
        @Column("category_name") var name: String
        var description: String?
        var picture: Data?
        init(id: Int16, _ name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("customer_demographics") final class Demographic {
        @PrimaryKey @Column("customer_type_id") let id: String
        @Column("customer_desc") var text: String?
        init(id: String) { self.id = id }
    }

    @Table("customers") final class Customer {
        @PrimaryKey @Column("customer_id") let id: String
        @Column("company_name") var company: String
        @Relation(
            joinTable: .named(
                "customer_customer_demo", owner: "customer_id", element: "customer_type_id", position: nil))
        var demographics: [Demographic] = []
        @Relation(inverse: \Order.customer, loading: .eager) var orders: [Order] = []
        init(id: String, _ company: String) { (self.id, self.company) = (id, company) }
    }

    @Table("region") final class Region {
        @PrimaryKey @Column("region_id") let id: Int16
        @Column("region_description") var name: String
        init(id: Int16, _ name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("territories") final class Territory {
        @PrimaryKey @Column("territory_id") let id: String
        @Column("territory_description") var name: String
        @Required @Column("region_id") var region: Region?
        init(id: String, _ name: String, _ region: Region) { (self.id, self.name, self.region) = (id, name, region) }
    }

    @Table("employees") final class Employee {
        @PrimaryKey @Column("employee_id") let id: Int16
        var lastName: String
        var birthDate: Date?
        @Column("reports_to") var superior: Employee?
        @Relation(
            joinTable: .named("employee_territories", owner: "employee_id", element: "territory_id", position: nil))
        var territories: [Territory] = []
        init(id: Int16, _ lastName: String) { (self.id, self.lastName) = (id, lastName) }
    }

    @Table("shippers") final class Shipper {
        @PrimaryKey @Column("shipper_id") let id: Int16
        @Column("company_name") var company: String
        init(id: Int16, _ company: String) { (self.id, self.company) = (id, company) }
    }

    @Table("suppliers") final class Supplier {
        @PrimaryKey @Column("supplier_id") let id: Int16
        @Column("company_name") var company: String
        var contactName: String?
        var homepage: String?
        @Relation(inverse: \Product.supplier, loading: .eager) var products: [Product] = []
        init(id: Int16, _ company: String) { (self.id, self.company) = (id, company) }
    }

    @Table("us_states") struct State: Equatable {
        @PrimaryKey @Column("state_id") let id: Int16
        @Column("state_name") var name: String?
        @Column("state_abbr") var abbreviation: String?
        @Column("state_region") var region: String?
    }

    @Table("products") final class Product {
        @PrimaryKey @Column("product_id") let id: Int16
        @Column("product_name") var name: String
        @Column("supplier_id") var supplier: Supplier?
        @Column("category_id") var category: Category?
        var unitPrice: Float?
        var unitsInStock: Int16?
        @Column("discontinued", storage: .integer) var isDiscontinued = false
        init(id: Int16, _ name: String, _ category: Category) {
            (self.id, self.name, self.category) = (id, name, category)
        }
    }

    @Table("orders") final class Order {
        @PrimaryKey @Column("order_id") let id: Int16
        @Column("customer_id") var customer: Customer?
        @Column("employee_id") var employee: Employee?
        @Column("order_date") var date: Date?
        @Column("ship_via") var shipper: Shipper?
        var freight: Float?
        @Relation(inverse: \OrderLine.order, loading: .eager) var lines: [OrderLine] = []
        init(id: Int16, _ customer: Customer, _ employee: Employee) {
            (self.id, self.customer, self.employee) = (id, customer, employee)
        }
    }

    @Table("order_details") final class OrderLine {
        @PrimaryKey @Column("order_id") var orderID: Int16
        @PrimaryKey @Column("product_id") var productID: Int16
        @Column("order_id") var order: Order?
        @Column("product_id") var product: Product?
        var unitPrice: Float
        var quantity: Int16
        var discount: Float = 0
        init(_ order: Order, _ product: Product, _ quantity: Int16) {
            (self.order, orderID, self.product, productID) = (order, order.id, product, product.id)
            (unitPrice, self.quantity) = (product.unitPrice ?? 0, quantity)
        }
    }

    private static let tables = """
        CREATE TABLE categories (category_id smallint NOT NULL PRIMARY KEY, category_name character varying(15) NOT NULL,
            description text, picture bytea);
        CREATE TABLE customer_demographics (customer_type_id bpchar NOT NULL PRIMARY KEY, customer_desc text);
        CREATE TABLE customers (customer_id bpchar NOT NULL PRIMARY KEY, company_name character varying(40) NOT NULL);
        CREATE TABLE customer_customer_demo (customer_id bpchar NOT NULL REFERENCES customers,
            customer_type_id bpchar NOT NULL REFERENCES customer_demographics,
            PRIMARY KEY (customer_id, customer_type_id));
        CREATE TABLE region (region_id smallint NOT NULL PRIMARY KEY, region_description bpchar NOT NULL);
        CREATE TABLE territories (territory_id character varying(20) NOT NULL PRIMARY KEY,
            territory_description bpchar NOT NULL, region_id smallint NOT NULL REFERENCES region);
        CREATE TABLE employees (employee_id smallint NOT NULL PRIMARY KEY, last_name character varying(20) NOT NULL,
            birth_date date, reports_to smallint REFERENCES employees);
        CREATE TABLE employee_territories (employee_id smallint NOT NULL REFERENCES employees,
            territory_id character varying(20) NOT NULL REFERENCES territories, PRIMARY KEY (employee_id, territory_id));
        CREATE TABLE shippers (shipper_id smallint NOT NULL PRIMARY KEY, company_name character varying(40) NOT NULL);
        CREATE TABLE suppliers (supplier_id smallint NOT NULL PRIMARY KEY,
            company_name character varying(40) NOT NULL, contact_name character varying(30), homepage text);
        CREATE TABLE us_states (state_id smallint NOT NULL PRIMARY KEY, state_name character varying(100),
            state_abbr character varying(2), state_region character varying(50));
        CREATE TABLE products (product_id smallint NOT NULL PRIMARY KEY, product_name character varying(40) NOT NULL,
            supplier_id smallint REFERENCES suppliers, category_id smallint REFERENCES categories, unit_price real, units_in_stock smallint,
            discontinued integer NOT NULL);
        CREATE TABLE orders (order_id smallint NOT NULL PRIMARY KEY, customer_id bpchar REFERENCES customers,
            employee_id smallint REFERENCES employees, order_date date, ship_via smallint REFERENCES shippers,
            freight real);
        CREATE TABLE order_details (order_id smallint NOT NULL REFERENCES orders,
            product_id smallint NOT NULL REFERENCES products, unit_price real NOT NULL, quantity smallint NOT NULL,
            discount real NOT NULL, PRIMARY KEY (order_id, product_id));
        INSERT INTO categories VALUES (1, 'Beverages', 'Soft drinks', '\\x151c');
        INSERT INTO customers VALUES ('VINET', 'Vins et alcools Chevalier');
        INSERT INTO employees VALUES (2, 'Fuller', '1952-02-19', NULL), (5, 'Buchanan', '1955-03-04', 2);
        INSERT INTO shippers VALUES (3, 'Federal Shipping');
        INSERT INTO suppliers VALUES (8, 'Specialty Biscuits, Ltd.', 'Peter Wilson', NULL);
        INSERT INTO us_states VALUES (1, 'Alabama', 'AL', 'south'), (2, 'Alaska', 'AK', 'north');
        INSERT INTO products VALUES (11, 'Chai', 8, 1, 18, 39, 1), (42, 'Guaraná', NULL, 1, 4.5, 20, 0);
        INSERT INTO orders VALUES (10248, 'VINET', 5, '1996-07-04', 3, 32.3800011);
        INSERT INTO order_details VALUES (10248, 11, 14, 12, 0), (10248, 42, 9.80000019, 10, 0.05)
        """

    @Test func `all tables are adopted, read, written and queried`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            for statement in Self.tables.split(separator: ";\n") { try await connection.execute(String(statement)) }
            await connection.close()
            try await Database.withDatabase(TestServer.configuration(schema: driver.options.schema)) {
                db async throws in
                try await use(db)
            }
        }
    }

    private func use(_ db: Database) async throws {
        let schema = Schema(
            adopting: [
                Category.self, Demographic.self, Customer.self, Region.self, Territory.self, Employee.self,
                Shipper.self, Supplier.self, State.self,
                Product.self, Order.self, OrderLine.self,
            ])
        try await db.migrate(schema)
        #expect(try await db.migrate(schema).isEmpty)

        let order = try #require(try await db.find(Order.self, key: 10248))
        #expect(order.customer?.id == "VINET" && order.customer?.orders.first === order)
        #expect(order.employee?.superior?.lastName == "Fuller" && order.shipper?.company == "Federal Shipping")
        #expect(order.date == Date(timeIntervalSince1970: 836_438_400) && order.freight == 32.38)
        #expect(order.lines.map(\.unitPrice) == [14, 9.8] && order.lines.map(\.discount) == [0, 0.05])
        #expect(order.lines.map { $0.product?.isDiscontinued } == [true, false])
        #expect(order.lines[0].product?.category?.picture == Data([0x15, 0x1C]))
        let supplier = try #require(order.lines[0].product?.supplier)
        #expect(supplier.contactName == "Peter Wilson" && supplier.products.map(\.name) == ["Chai"])
        #expect(
            try await db.query(State.self).where { $0.region == "north" }.fetch()
                == [State(id: 2, name: "Alaska", abbreviation: "AK", region: "north")])
        supplier.products.append(try #require(order.lines[1].product))
        try await db.save(supplier)
        #expect(try await db.query(Product.self).where { $0.supplier.company.hasPrefix("Specialty") }.count() == 2)

        let clerk = Employee(id: 9, "Dodsworth")
        clerk.superior = order.employee
        clerk.birthDate = Date(timeIntervalSince1970: -123_552_000)
        clerk.territories = [Territory(id: "48075", "Southfield", Region(id: 3, "Northern"))]
        let customer = Customer(id: "NEWCO", "New Company")
        customer.demographics = [Demographic(id: "A")]
        let next = Order(id: 11078, customer, clerk)
        let drink = try #require(order.lines[1].product)
        (next.freight, next.shipper, drink.isDiscontinued) = (1.5, order.shipper, true)
        next.lines = [OrderLine(next, drink, 3)]
        try await db.save(next)
        let stored = try await db.sql(
            """
            SELECT o.customer_id || c.customer_type_id || e.territory_id || d.quantity || p.discontinued
            FROM orders o JOIN customer_customer_demo c USING (customer_id) JOIN employee_territories e USING (employee_id)
            JOIN order_details d USING (order_id) JOIN products p USING (product_id) WHERE order_id = 11078
            """
        ).fetch(as: String.self)
        #expect(stored == ["NEWCOA4807531"])
        #expect(try await db.query(Product.self).where { $0.isDiscontinued }.count() == 2)
        #expect(
            try await db.query(Order.self).where { $0.customer.demographics.contains { $0.id == "A" } }.count() == 1)
        #expect(
            try await db.query(OrderLine.self).where { $0.product.name == "Guaraná" && $0.quantity > 3 }.count() == 1)
        #expect(
            try await db.query(Employee.self).where { $0.territories.contains { $0.region.name == "Northern" } }.fetch()
                .map(\.id) == [9])
        let quantities = try await db.query(OrderLine.self).group { $0.order.customer.company }
            .select { ($0.order.customer.company, $0.quantity.sum) }.fetch()
        #expect(quantities.map(\.1) == [3, 22])
        clerk.territories = []
        try await db.save(clerk)
        #expect(try await db.delete(next.lines[0]) == 1)
        #expect(try await db.query(Order.self).where { $0.id == 11078 }.delete() == 1)
        let denied = await #expect(throws: DatabaseError.self) { _ = try await db.delete(drink) }
        #expect(denied?.code == .foreignKeyViolation)
    }
}
