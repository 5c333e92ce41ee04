import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// The tables of Pagila, the sample database of PostgreSQL, as its authors declare them: with natural types.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct PagilaTests {
    enum Rating: String, Storable { case g = "G", pg = "PG", pg13 = "PG-13", r = "R", nc17 = "NC-17" }

    @Table("language") final class Language {
        @PrimaryKey(.database) @Column("language_id") var id: Int32?
        var name: String
        var lastUpdate: Date = .now
        init(_ name: String) { self.name = name }
    }

    @Table("actor") final class Actor {
        @PrimaryKey(.database) @Column("actor_id") var id: Int32?
        var firstName: String
        var lastName: String
        @Timestamp(.modified) var lastUpdate: Date?
        @Relation(inverse: \Film.actors, loading: .eager) var films: [Film] = []
        init(_ firstName: String, _ lastName: String) { (self.firstName, self.lastName) = (firstName, lastName) }
    }

    @Table("category") final class Category {
        @PrimaryKey(.database) @Column("category_id") var id: Int32?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("film") final class Film {
        @PrimaryKey(.database) @Column("film_id") var id: Int32?
        var title: String
        @Column("description") var summary: String?
        var releaseYear: Int?
        @Column("language_id") var language: Language?
        @Column("original_language_id") var originalLanguage: Language?
        var rentalDuration: Int16 = 3
        var rentalRate: Decimal = 5
        var length: Int16?
        var replacementCost: Decimal = 20
        var rating: Rating? = .g
        @Column(storage: .array) var specialFeatures: [String]?
        // A trigger makes it of title and description.
        @Column("fulltext", storage: .text, generated: true) var words: String?
        @Relation(joinTable: .named("film_actor", owner: "film_id", element: "actor_id", position: nil))
        var actors: [Actor] = []
        @Relation(joinTable: .named("film_category", owner: "film_id", element: "category_id", position: nil))
        var categories: [Category] = []
        init(_ title: String, _ language: Language) { (self.title, self.language) = (title, language) }
    }

    @Table("country") final class Country {
        @PrimaryKey(.database) @Column("country_id") var id: Int32?
        @Column("country") var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("city") final class City {
        @PrimaryKey(.database) @Column("city_id") var id: Int32?
        @Column("city") var name: String
        @Column("country_id") var country: Country?
        init(_ name: String, _ country: Country) { (self.name, self.country) = (name, country) }
    }

    @Table("address") final class Address {
        @PrimaryKey(.database) @Column("address_id") var id: Int32?
        @Column("address") var line: String
        @Column("address2") var secondLine: String?
        var district: String
        @Column("city_id") var city: City?
        var postalCode: String?
        var phone: String
        init(_ line: String, _ city: City) {
            (self.line, self.city) = (line, city)
            (district, phone) = ("", "")
        }
    }

    @Table("store") final class Store {
        @PrimaryKey(.database) @Column("store_id") var id: Int32?
        @Column("manager_staff_id") var manager: Staff?
        @Column("address_id") var address: Address?
        @Relation(inverse: \Staff.store, loading: .eager) var staff: [Staff] = []
        init(_ address: Address) { self.address = address }
    }

    @Table("staff") final class Staff {
        @PrimaryKey(.database) @Column("staff_id") var id: Int32?
        var firstName: String
        var lastName: String
        @Column("address_id") var address: Address?
        // Stores and their staff refer to each other: this says which of the two references can wait.
        @Required @Column("store_id") var store: Store?
        @Column("active") var isActive = true
        var username: String
        var picture: Data?
        init(_ name: String, _ address: Address) {
            (firstName, lastName, username) = (name, name, name.lowercased())
            self.address = address
        }
    }

    @Table("customer") final class Customer {
        @PrimaryKey(.database) @Column("customer_id") var id: Int32?
        @Column("store_id") var store: Store?
        var firstName: String
        var lastName: String
        var email: String?
        @Column("address_id") var address: Address?
        @Column("activebool") var isActive = true
        var createDate: Date
        init(_ name: String, _ store: Store, _ address: Address, since date: Date) {
            (firstName, lastName) = (name, name)
            (self.store, self.address, createDate) = (store, address, date)
        }
    }

    @Table("inventory") final class Copy {
        @PrimaryKey(.database) @Column("inventory_id") var id: Int32?
        @Column("film_id") var film: Film?
        @Column("store_id") var store: Store?
        init(_ film: Film, _ store: Store) { (self.film, self.store) = (film, store) }
    }

    @Table("rental") final class Rental {
        @PrimaryKey(.database) @Column("rental_id") var id: Int32?
        @Column("rental_date") var begin: Date
        @Column("inventory_id") var copy: Copy?
        @Column("customer_id") var customer: Customer?
        @Column("return_date") var end: Date?
        @Column("staff_id") var clerk: Staff?
        @Relation(inverse: \Payment.rental, loading: .eager) var payments: [Payment] = []
        init(_ copy: Copy, _ customer: Customer, _ clerk: Staff, at date: Date) {
            (self.copy, self.customer, self.clerk, begin) = (copy, customer, clerk, date)
        }
    }

    /// Of a partitioned table, whose key has the column of the partitions.
    @Table("payment") final class Payment {
        @PrimaryKey @Column("payment_date") let date: Date
        @PrimaryKey @Column("payment_id") let id: Int32
        @Column("customer_id") var customer: Customer?
        @Column("staff_id") var clerk: Staff?
        @Column("rental_id") var rental: Rental?
        var amount: Decimal
        init(_ id: Int32, of rental: Rental, _ amount: Decimal, at date: Date) {
            (self.id, self.rental, self.amount, self.date) = (id, rental, amount, date)
            (customer, clerk) = (rental.customer, rental.clerk)
        }
    }

    @Table("customer_list", readOnly: true) struct CustomerEntry {
        @PrimaryKey var id: Int32
        var name: String
        var country: String
    }

    static let tables = """
        CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (VALUE >= 1901 AND VALUE <= 2155);
        CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
        CREATE FUNCTION last_updated() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN NEW.last_update = CURRENT_TIMESTAMP; RETURN NEW; END';
        CREATE TABLE language (
            language_id serial PRIMARY KEY, name character(20) NOT NULL,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE actor (
            actor_id serial PRIMARY KEY, first_name character varying(45) NOT NULL,
            last_name character varying(45) NOT NULL,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE category (
            category_id serial PRIMARY KEY, name character varying(25) NOT NULL,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE film (
            film_id serial PRIMARY KEY, title character varying(255) NOT NULL, description text, release_year year,
            language_id smallint NOT NULL REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
            original_language_id smallint REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
            rental_duration smallint DEFAULT 3 NOT NULL, rental_rate numeric(4,2) DEFAULT 4.99 NOT NULL,
            length smallint, replacement_cost numeric(5,2) DEFAULT 19.99 NOT NULL,
            rating mpaa_rating DEFAULT 'G'::mpaa_rating,
            last_update timestamp without time zone DEFAULT now() NOT NULL, special_features text[],
            fulltext tsvector NOT NULL);
        CREATE INDEX film_fulltext_idx ON film USING gist (fulltext);
        CREATE TRIGGER film_fulltext_trigger BEFORE INSERT OR UPDATE ON film FOR EACH ROW EXECUTE FUNCTION
            tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');
        CREATE TRIGGER last_updated BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION last_updated();
        CREATE TABLE film_actor (
            actor_id smallint NOT NULL REFERENCES actor, film_id smallint NOT NULL REFERENCES film,
            last_update timestamp without time zone DEFAULT now() NOT NULL, PRIMARY KEY (actor_id, film_id));
        CREATE TABLE film_category (
            film_id smallint NOT NULL REFERENCES film, category_id smallint NOT NULL REFERENCES category,
            last_update timestamp without time zone DEFAULT now() NOT NULL, PRIMARY KEY (film_id, category_id));
        CREATE TABLE country (
            country_id serial PRIMARY KEY, country character varying(50) NOT NULL,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE city (
            city_id serial PRIMARY KEY, city character varying(50) NOT NULL,
            country_id smallint NOT NULL REFERENCES country,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE address (
            address_id serial PRIMARY KEY, address character varying(50) NOT NULL, address2 character varying(50),
            district character varying(20) NOT NULL, city_id smallint NOT NULL REFERENCES city,
            postal_code character varying(10), phone character varying(20) NOT NULL,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE store (
            store_id serial PRIMARY KEY, manager_staff_id smallint UNIQUE,
            address_id smallint NOT NULL REFERENCES address,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE staff (
            staff_id serial PRIMARY KEY, first_name character varying(45) NOT NULL,
            last_name character varying(45) NOT NULL, address_id smallint NOT NULL REFERENCES address,
            email character varying(50), store_id smallint NOT NULL REFERENCES store, active boolean DEFAULT true NOT NULL,
            username character varying(16) NOT NULL, password character varying(40),
            last_update timestamp without time zone DEFAULT now() NOT NULL, picture bytea);
        ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff;
        CREATE TABLE customer (
            customer_id serial PRIMARY KEY, store_id smallint NOT NULL REFERENCES store,
            first_name character varying(45) NOT NULL, last_name character varying(45) NOT NULL,
            email character varying(50), address_id smallint NOT NULL REFERENCES address,
            activebool boolean DEFAULT true NOT NULL, create_date date DEFAULT 'now'::text::date NOT NULL,
            last_update timestamp without time zone DEFAULT now(), active integer);
        CREATE TABLE inventory (
            inventory_id serial PRIMARY KEY, film_id smallint NOT NULL REFERENCES film,
            store_id smallint NOT NULL REFERENCES store,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE TABLE rental (
            rental_id serial PRIMARY KEY, rental_date timestamp without time zone NOT NULL,
            inventory_id integer NOT NULL REFERENCES inventory, customer_id smallint NOT NULL REFERENCES customer,
            return_date timestamp without time zone, staff_id smallint NOT NULL REFERENCES staff,
            last_update timestamp without time zone DEFAULT now() NOT NULL);
        CREATE UNIQUE INDEX rental_key ON rental (rental_date, inventory_id, customer_id);
        CREATE TABLE payment (
            payment_id serial NOT NULL, customer_id smallint NOT NULL REFERENCES customer,
            staff_id smallint NOT NULL REFERENCES staff, rental_id integer NOT NULL REFERENCES rental,
            amount numeric(5,2) NOT NULL, payment_date timestamp without time zone NOT NULL,
            PRIMARY KEY (payment_date, payment_id)) PARTITION BY RANGE (payment_date);
        CREATE TABLE payment_early PARTITION OF payment FOR VALUES FROM ('2020-01-01') TO ('2025-01-01');
        CREATE TABLE payment_late PARTITION OF payment FOR VALUES FROM ('2025-01-01') TO ('2030-01-01');
        CREATE VIEW customer_list AS SELECT cu.customer_id AS id, cu.first_name || ' ' || cu.last_name AS name,
            country.country FROM customer cu JOIN address a USING (address_id) JOIN city USING (city_id)
            JOIN country USING (country_id);
        """

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            for statement in Self.tables.split(separator: ";\n") { try await connection.execute(String(statement)) }
            await connection.close()
            try await Database.withDatabase(TestServer.configuration(schema: driver.options.schema), body)
        }
    }

    @Test func `all tables are adopted, written, read and queried`() async throws {
        try await withDatabase { db async throws in
            let schema = Schema(
                adopting: [
                    Language.self, Actor.self, Category.self, Film.self, Country.self, City.self, Address.self,
                    Store.self, Staff.self, Customer.self, Copy.self, Rental.self, Payment.self, CustomerEntry.self,
                ])
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)

            let english = Language("English")
            let film = Film("ACADEMY DINOSAUR", english)
            (film.releaseYear, film.rating, film.length) = (2006, .pg13, 86)
            (film.rentalRate, film.specialFeatures) = (
                Decimal(string: "0.99") ?? 0, ["Deleted Scenes", "a \"b\", {c}"]
            )
            film.actors = [Actor("PENELOPE", "GUINESS"), Actor("CHRISTIAN", "GABLE")]
            film.categories = [Category("Documentary")]
            let address = Address("47 MySakila Drive", City("Lethbridge", Country("Canada")))
            let store = Store(address)
            let clerk = Staff("Mike", address)
            (clerk.store, clerk.picture) = (store, Data([0x89, 0x50, 0]))
            store.manager = clerk
            let day = Date(timeIntervalSince1970: 1_139_788_800)
            let customer = Customer("MARY", store, address, since: day)
            let rental = Rental(Copy(film, store), customer, clerk, at: day + 3_600.5)
            rental.payments = [
                Payment(1, of: rental, Decimal(string: "2.99") ?? 0, at: Date(timeIntervalSince1970: 1_700_000_000)),
                Payment(2, of: rental, 1, at: Date(timeIntervalSince1970: 1_800_000_000.5)),
            ]
            try await db.save(rental)

            try await db.transaction { tx async throws in
                let found = try #require(try await tx.query(Rental.self).first())
                #expect(found.begin == day + 3_600.5 && found.end == nil)
                #expect(found.payments.map(\.amount).sorted() == [1, Decimal(string: "2.99")])
                #expect(found.clerk?.picture == Data([0x89, 0x50, 0]))
                #expect(found.clerk?.store === found.copy?.store && found.copy?.store?.manager === found.clerk)
                #expect(found.customer?.createDate == day && found.customer?.address === found.clerk?.address)
                let title = try #require(found.copy?.film)
                #expect(title.language?.name == "English" && title.originalLanguage == nil)
                #expect(title.rating == .pg13 && title.releaseYear == 2006 && title.length == 86)
                #expect(title.specialFeatures == ["Deleted Scenes", "a \"b\", {c}"])
                #expect(title.words == "'academi':1 'dinosaur':2")
                #expect(title.rentalRate == Decimal(string: "0.99") && title.replacementCost == 20)
                #expect(Set(title.actors.map(\.firstName)) == ["PENELOPE", "CHRISTIAN"])
                #expect(title.categories.map(\.name) == ["Documentary"])
                #expect(found.customer?.address?.city?.country?.name == "Canada")
            }

            film.actors.append(Actor("LUCILLE", "TRACY"))
            (film.summary, film.rating) = ("A Epic Drama", .nc17)
            rental.end = day + 86_400
            try await db.save(rental)
            let words = try await db.sql("SELECT fulltext::text FROM film").fetch(as: String.self)
            #expect(words.first?.contains("drama") == true)
            #expect(try await db.query(Film.self).where { $0.rating == .nc17 && $0.releaseYear > 2000 }.count() == 1)
            #expect(try await db.query(Film.self).where { $0.language.name == "English" }.count() == 1)
            #expect(try await db.query(Film.self).where { $0.actors.contains { $0.lastName == "TRACY" } }.count() == 1)
            #expect(
                try await db.query(Rental.self).where { $0.begin > day && $0.customer.createDate == day }.count() == 1)
            let amounts = try await db.query(Payment.self).where { $0.amount < 2 }.fetch().map(\.id)
            #expect(amounts == [2])
            let key = Key(Date(timeIntervalSince1970: 1_800_000_000.5), Int32(2))
            let payment = try #require(try await db.find(Payment.self, key: key))
            #expect(payment.amount == 1 && payment.rental?.payments.contains { $0 === payment } == true)
            #expect(try await db.fetch(Payment.self, keys: [key, key]).map(\.id) == [2, 2])
            #expect(try await db.query(Payment.self).where { $0.id == 2 }.keys() == [key])
            payment.amount = Decimal(string: "1.5") ?? 0
            try await db.save(payment)
            let sum = try await db.query(Payment.self).sum(\.amount)
            #expect(sum == Decimal(string: "4.49"))
            let pages = try await db.query(Payment.self).page(size: 1)
            let rest = try await db.query(Payment.self).page(size: 1, after: pages.next)
            #expect(pages.objects.map(\.id) + rest.objects.map(\.id) == [1, 2] && rest.next == nil)
            #expect(try await db.fetch(CustomerEntry.self).map(\.country) == ["Canada"])
            let actor = try #require(try await db.query(Actor.self).where { $0.firstName == "LUCILLE" }.first())
            #expect(actor.films.map(\.title) == ["ACADEMY DINOSAUR"] && actor.lastUpdate != nil)

            let refused = Film("x", english)
            refused.releaseYear = 1800
            let check = await #expect(throws: DatabaseError.self) { try await db.save(refused) }
            #expect(check?.code == .checkViolation)
            refused.releaseYear = nil
            refused.rentalRate = Decimal(string: "0.999") ?? 0
            let rounded = await #expect(throws: DatabaseError.self) { try await db.save(refused) }
            #expect(rounded?.code == .invalidValue && rounded?.properties == ["rentalRate"])
            let denied = await #expect(throws: DatabaseError.self) { _ = try await db.delete(english) }
            #expect(denied?.code == .foreignKeyViolation)
            for payment in rental.payments { #expect(try await db.delete(payment) == 1) }
            #expect(try await db.count(Payment.self) == 0)
        }
    }
}
