import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The rest of Sakila in its edition for SQLite: who lives where, and who has rented what.
///
/// Keys that are `INT`, and not `INTEGER`, are made by nobody.
@Suite struct SakilaRentalTests {
    @Table("country") final class Country {
        @PrimaryKey @Column("country_id") let id: Int16
        @Column("country") var name: String
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        @Relation(inverse: \City.country, loading: .eager) var cities: [City] = []
        init(id: Int16, _ name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("city") final class City {
        @PrimaryKey @Column("city_id") let id: Int
        @Column("city") var name: String
        @Required @Column("country_id") var country: Country?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(id: Int, _ name: String, _ country: Country) { (self.id, self.name, self.country) = (id, name, country) }
    }

    @Table("address") final class Address {
        @PrimaryKey @Column("address_id") let id: Int
        @Column("address") var street: String
        @Column("address2") var more: String?
        var district: String
        @Required @Column("city_id") var city: City?
        var postalCode: String?
        var phone: String
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(id: Int, _ street: String, _ city: City) {
            (self.id, self.street, self.city, district, phone) = (id, street, city, "", "")
        }
    }

    @Table("category") final class Category {
        @PrimaryKey @Column("category_id") let id: Int16
        var name: String
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        @Relation(inverse: \Film.categories, loading: .eager) var films: [Film] = []
        init(id: Int16, _ name: String) { (self.id, self.name) = (id, name) }
    }

    @Table("film") final class Film {
        @PrimaryKey(.database) @Column("film_id") var id: Int?
        var title: String
        @Relation(joinTable: .named("film_category", owner: "film_id", element: "category_id", position: nil))
        var categories: [Category] = []
        @Relation(inverse: \Copy.film, loading: .eager) var copies: [Copy] = []
        init(_ title: String) { self.title = title }
    }

    /// The rows of the join table: a key that is made of foreign keys.
    @Table("film_category") final class FilmCategory {
        @PrimaryKey var filmID: Int
        @PrimaryKey var categoryID: Int16
        @Column("film_id") var film: Film?
        @Column("category_id") var category: Category?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(filmID: Int, categoryID: Int16) { (self.filmID, self.categoryID) = (filmID, categoryID) }
    }

    @Table("store") final class Store {
        @PrimaryKey(.database) @Column("store_id") var id: Int?
        @Required @Column("address_id") var address: Address?
        init(_ address: Address) { self.address = address }
    }

    @Table("customer") final class Customer {
        @PrimaryKey(.database) @Column("customer_id") var id: Int?
        var firstName: String
        @Required @Column("address_id") var address: Address?
        @Relation(inverse: \Rental.customer, loading: .eager) var rentals: [Rental] = []
        @Relation(inverse: \Payment.customer, loading: .eager) var payments: [Payment] = []
        init(_ firstName: String, _ address: Address) { (self.firstName, self.address) = (firstName, address) }
    }

    @Table("inventory") final class Copy {
        @PrimaryKey @Column("inventory_id") let id: Int
        @Required @Column("film_id") var film: Film?
        @Required @Column("store_id") var store: Store?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(id: Int, _ film: Film, _ store: Store) { (self.id, self.film, self.store) = (id, film, store) }
    }

    @Table("rental") final class Rental {
        @PrimaryKey @Column("rental_id") let id: Int
        @Column(storage: .text) var rentalDate: Date
        @Required @Column("inventory_id") var copy: Copy?
        @Required @Column("customer_id") var customer: Customer?
        @Column(storage: .text) var returnDate: Date?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(id: Int, _ copy: Copy, _ customer: Customer, on date: Date) {
            (self.id, self.copy, self.customer, rentalDate) = (id, copy, customer, date)
        }
    }

    @Table("payment") final class Payment {
        @PrimaryKey @Column("payment_id") let id: Int
        @Required @Column("customer_id") var customer: Customer?
        @Column("rental_id") var rental: Rental?
        var amount: Decimal
        @Column(storage: .text) var paymentDate: Date
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(id: Int, _ rental: Rental, _ amount: Decimal) {
            (self.id, self.rental, customer, self.amount) = (id, rental, rental.customer, amount)
            paymentDate = rental.rentalDate
        }
    }

    @Table("sales_by_film_category", readOnly: true) struct Sales: Equatable {
        @PrimaryKey let category: String
        let totalSales: Double
    }

    private static let statements = """
        CREATE TABLE country (country_id SMALLINT NOT NULL, country VARCHAR(50) NOT NULL, last_update TIMESTAMP,
            PRIMARY KEY (country_id));
        CREATE TABLE city (city_id int NOT NULL, city VARCHAR(50) NOT NULL, country_id SMALLINT NOT NULL,
            last_update TIMESTAMP NOT NULL, PRIMARY KEY (city_id), CONSTRAINT fk_city_country FOREIGN KEY (country_id)
            REFERENCES country (country_id) ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE address (address_id int NOT NULL, address VARCHAR(50) NOT NULL, address2 VARCHAR(50) DEFAULT NULL,
            district VARCHAR(20) NOT NULL, city_id INT NOT NULL, postal_code VARCHAR(10) DEFAULT NULL,
            phone VARCHAR(20) NOT NULL, last_update TIMESTAMP NOT NULL, PRIMARY KEY (address_id),
            CONSTRAINT fk_address_city FOREIGN KEY (city_id) REFERENCES city (city_id)
            ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE category (category_id SMALLINT NOT NULL, name VARCHAR(25) NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (category_id));
        CREATE TABLE film (film_id INTEGER NOT NULL, title VARCHAR(255) NOT NULL, PRIMARY KEY (film_id));
        CREATE TABLE film_category (film_id INT NOT NULL, category_id SMALLINT NOT NULL,
            last_update TIMESTAMP NOT NULL DEFAULT '2006-02-15', PRIMARY KEY (film_id, category_id),
            CONSTRAINT fk_film_category_film FOREIGN KEY (film_id) REFERENCES film (film_id)
            ON DELETE NO ACTION ON UPDATE CASCADE, CONSTRAINT fk_film_category_category FOREIGN KEY (category_id)
            REFERENCES category (category_id) ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE store (store_id INTEGER NOT NULL, address_id INT NOT NULL, PRIMARY KEY (store_id),
            CONSTRAINT fk_store_address FOREIGN KEY (address_id) REFERENCES address (address_id));
        CREATE TABLE customer (customer_id INTEGER NOT NULL, first_name VARCHAR(45) NOT NULL, address_id INT NOT NULL,
            PRIMARY KEY (customer_id), CONSTRAINT fk_customer_address FOREIGN KEY (address_id)
            REFERENCES address (address_id) ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE inventory (inventory_id INT NOT NULL, film_id INT NOT NULL, store_id INT NOT NULL,
            last_update TIMESTAMP NOT NULL, PRIMARY KEY (inventory_id), CONSTRAINT fk_inventory_store
            FOREIGN KEY (store_id) REFERENCES store (store_id) ON DELETE NO ACTION ON UPDATE CASCADE,
            CONSTRAINT fk_inventory_film FOREIGN KEY (film_id) REFERENCES film (film_id)
            ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE INDEX idx_fk_film_id ON inventory (film_id);
        CREATE TABLE rental (rental_id INT NOT NULL, rental_date TIMESTAMP NOT NULL, inventory_id INT NOT NULL,
            customer_id INT NOT NULL, return_date TIMESTAMP DEFAULT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (rental_id), CONSTRAINT fk_rental_inventory FOREIGN KEY (inventory_id)
            REFERENCES inventory (inventory_id), CONSTRAINT fk_rental_customer FOREIGN KEY (customer_id)
            REFERENCES customer (customer_id));
        CREATE UNIQUE INDEX idx_rental_uq ON rental (rental_date, inventory_id, customer_id);
        CREATE TABLE payment (payment_id int NOT NULL, customer_id INT NOT NULL, rental_id INT DEFAULT NULL,
            amount DECIMAL(5,2) NOT NULL, payment_date TIMESTAMP NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (payment_id), CONSTRAINT fk_payment_rental FOREIGN KEY (rental_id)
            REFERENCES rental (rental_id) ON DELETE SET NULL ON UPDATE CASCADE,
            CONSTRAINT fk_payment_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id));
        CREATE VIEW sales_by_film_category AS SELECT c.name AS category, SUM(p.amount) AS total_sales
            FROM payment AS p INNER JOIN rental AS r ON p.rental_id = r.rental_id
            INNER JOIN inventory AS i ON r.inventory_id = i.inventory_id
            INNER JOIN film_category AS fc ON i.film_id = fc.film_id
            INNER JOIN category AS c ON fc.category_id = c.category_id GROUP BY c.name;
        INSERT INTO country VALUES (1, 'Canada', '2006-02-15 04:44:00.000'), (2, 'Australia', '2006-02-15 04:44:00.000');
        INSERT INTO city VALUES (1, 'Lethbridge', 1, '2006-02-15 04:45:25.000');
        INSERT INTO address VALUES (1, '47 MySakila Drive', NULL, 'Alberta', 1, '', '', '2006-02-15 04:45:30.000');
        INSERT INTO category VALUES (1, 'Action', '2006-02-15 04:46:27.000'), (2, 'Music', '2006-02-15 04:46:27.000');
        INSERT INTO film VALUES (1, 'ACADEMY DINOSAUR'), (2, 'ACE GOLDFINGER');
        INSERT INTO film_category VALUES (1, 1, '2006-02-15 05:07:09.000'), (2, 2, '2006-02-15 05:07:09.000');
        INSERT INTO store VALUES (1, 1);
        INSERT INTO customer VALUES (1, 'MARY', 1);
        INSERT INTO inventory VALUES (1, 1, 1, '2006-02-15 05:09:17.000'), (2, 2, 1, '2006-02-15 05:09:17.000');
        INSERT INTO rental VALUES (1, '2005-05-24 22:53:30.000', 1, 1, '2005-05-26 22:04:30.000', '2006-02-15 21:30:53'),
            (2, '2005-05-25 11:30:37.000', 2, 1, NULL, '2006-02-15 21:30:53');
        INSERT INTO payment VALUES (1, 1, 1, 2.99, '2005-05-25 11:30:37.000', '2006-02-15 22:12:30'),
            (2, 1, NULL, 5.99, '2005-06-15 18:02:53.000', '2006-02-15 22:12:30');
        """.split(separator: ";\n").map(String.init)

    private static let types: [any TableObject.Type] = [
        Country.self, City.self, Address.self, Category.self, Film.self, FilmCategory.self, Store.self, Customer.self,
        Copy.self, Rental.self, Payment.self, Sales.self,
    ]

    @Test func `rentals are adopted, read, written and queried`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in Self.statements { try await db.sql("\(unsafe: sql)").execute() }
            let schema = Schema(types: [], adopting: Self.types)
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)

            // What others wrote.
            let payment = try #require(try await db.find(Payment.self, key: 1))
            let rental = try #require(payment.rental)
            #expect(
                payment.amount == Decimal(string: "2.99") && rental.copy?.film?.categories.map(\.name) == ["Action"])
            #expect(rental.returnDate == Date(timeIntervalSince1970: 1_117_145_070) && rental.lastUpdate != nil)
            #expect(rental.customer === payment.customer && payment.customer?.payments.count == 2)
            #expect(payment.customer?.address?.city?.country?.cities.map(\.name) == ["Lethbridge"])
            #expect(try await db.query(Payment.self).where { $0.rental == nil }.fetch().map(\.id) == [2])
            #expect(try await db.fetch(Sales.self) == [Sales(category: "Action", totalSales: 2.99)])
            #expect(
                try await db.query(FilmCategory.self).order { $0.filmID.ascending }.fetch().map(\.category?.id) == [
                    1, 2,
                ])

            // Queries along every foreign key, against SQL by hand.
            let open = try await db.query(Rental.self)
                .where { $0.returnDate == nil && $0.customer.address.city.country.name == "Canada" }.fetch()
            #expect(open.map(\.id) == [2])
            let sum = try await db.query(Payment.self).where { $0.rental.copy.film.title == "ACADEMY DINOSAUR" }
                .sum { $0.amount }
            let byHand = try await db.sql(
                """
                SELECT CAST(sum(p.amount) AS TEXT) FROM payment p JOIN rental r USING (rental_id)
                JOIN inventory i USING (inventory_id) JOIN film f USING (film_id) WHERE f.title = 'ACADEMY DINOSAUR'
                """
            ).fetch(as: String.self)
            #expect("\(sum)" == byHand.first)
            #expect(
                try await db.query(Category.self).where { $0.films.contains { $0.title == "ACE GOLDFINGER" } }.count()
                    == 1)

            // Inserted, changed and deleted, with what they refer to.
            let country = Country(id: 3, "Germany")
            let address = Address(id: 2, "Am Markt 1", City(id: 2, "Bonn", country))
            let film = try #require(rental.copy?.film)
            film.categories.append(try #require(try await db.find(Category.self, key: 2)))
            let store = try #require(rental.copy?.store)
            let date = Date(timeIntervalSince1970: 1_800_000_000)
            let next = Rental(id: 3, Copy(id: 3, film, store), Customer("ANN", address), on: date)
            try await db.save(Payment(id: 3, next, 4))
            let texts = try await db.sql("SELECT rental_date FROM rental WHERE rental_id = 3").fetch(as: String.self)
            #expect(texts == ["2027-01-15 08:00:00"])
            #expect(try await db.query(Film.self).where { $0.categories.contains { $0.name == "Music" } }.count() == 2)
            next.returnDate = date
            try await db.save(next)
            #expect(try await db.query(Rental.self).where { $0.returnDate == date }.count() == 1)
            // The foreign key lets the payment go.
            #expect(try await db.query(Rental.self).where { $0.id == 3 }.delete() == 1)
            #expect(try await db.find(Payment.self, key: 3)?.rental == nil)
            let again = Rental(id: 1, try #require(rental.copy), try #require(rental.customer), on: date)
            let refused = await #expect(throws: DatabaseError.self) { try await db.insert(again) }
            #expect(refused?.code == .uniqueViolation)
            #expect(try await db.sql("PRAGMA foreign_key_check").fetch().isEmpty)
        }
    }
}
