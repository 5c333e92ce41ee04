import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The tables of Sakila in its edition for SQLite, as its authors declare them: with triggers that set a time, dates in
/// columns of texts, and two tables that refer to each other.
@Suite struct SakilaTests {
    enum Rating: String, Storable { case g = "G", pg = "PG", pg13 = "PG-13", r = "R", nc17 = "NC-17" }

    /// Features in one text, with commas between them.
    struct Features: Storable, Equatable {
        var names: [String]
        init(_ names: String...) { self.names = names }
        init(storedValue: String) { names = storedValue.split(separator: ",").map(String.init) }
        var storedValue: String { names.joined(separator: ",") }
    }

    @Table("actor") final class Actor {
        @PrimaryKey(.database) @Column("actor_id") var id: Int?
        var firstName: String
        var lastName: String
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        @Relation(inverse: \Film.actors, loading: .eager) var films: [Film] = []
        init(_ firstName: String, _ lastName: String) { (self.firstName, self.lastName) = (firstName, lastName) }
    }

    @Table("language") final class Language {
        @PrimaryKey(.database) @Column("language_id") var id: Int?
        var name: String
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(_ name: String) { self.name = name }
    }

    @Table("film") final class Film {
        @PrimaryKey(.database) @Column("film_id") var id: Int?
        var title: String
        @Column("description") var summary: String?
        var releaseYear: String?
        @Required @Column("language_id") var language: Language?
        @Column("original_language_id") var originalLanguage: Language?
        var rentalDuration: Int = 3
        var rentalRate: Decimal = 4
        var length: Int?
        var replacementCost: Decimal = 19
        var rating: Rating? = .g
        var specialFeatures: Features?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        @Relation(joinTable: .named("film_actor", owner: "film_id", element: "actor_id", position: nil))
        var actors: [Actor] = []
        @Relation(inverse: \FilmActor.film, loading: .eager) var parts: [FilmActor] = []
        init(_ title: String, _ language: Language) { (self.title, self.language) = (title, language) }
    }

    /// The rows of the join table, with its own column.
    @Table("film_actor") final class FilmActor {
        @PrimaryKey var actorID: Int
        @PrimaryKey var filmID: Int
        @Column("actor_id") var actor: Actor?
        @Column("film_id") var film: Film?
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(_ actor: Actor, _ film: Film) {
            (self.actor, self.film, actorID, filmID) = (actor, film, actor.id ?? 0, film.id ?? 0)
        }
    }

    @Table("film_text") struct FilmText: Equatable {
        @PrimaryKey @Column("film_id") let id: Int
        var title: String
        var description: String?
    }

    @Table("store") final class Store {
        @PrimaryKey(.database) @Column("store_id") var id: Int?
        @Required @Column("manager_staff_id") var manager: Staff?
        @Relation(inverse: \Staff.store, loading: .eager) var staff: [Staff] = []
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init() {}
    }

    @Table("staff") final class Staff {
        @PrimaryKey(.database) @Column("staff_id") var id: Int?
        var firstName: String
        var picture: Data?
        @Required @Column("store_id") var store: Store?
        @Column("active") var isActive = true
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(_ firstName: String, _ store: Store) { (self.firstName, self.store) = (firstName, store) }
    }

    @Table("customer") final class Customer {
        @PrimaryKey(.database) @Column("customer_id") var id: Int?
        @Required @Column("store_id") var store: Store?
        var firstName: String
        var email: String?
        @Column("active", storage: .words(true: "1", false: "0")) var isActive = true
        @Column(storage: .text) var createDate: Date
        @Timestamp(.modified) @Column(storage: .text) var lastUpdate: Date?
        init(_ firstName: String, _ store: Store, since date: Date) {
            (self.firstName, self.store, createDate) = (firstName, store, date)
        }
    }

    @Table("customer_list", naming: .asDeclared, readOnly: true) final class CustomerEntry {
        @PrimaryKey @Column("ID") let id: Int
        let name: String
        let notes: String
        init(id: Int) { (self.id, name, notes) = (id, "", "") }
    }

    private static let tables = """
        CREATE TABLE actor (actor_id INTEGER NOT NULL, first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL,
            last_update TIMESTAMP NOT NULL, PRIMARY KEY (actor_id));
        CREATE TABLE language (language_id INTEGER NOT NULL, name CHAR(20) NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (language_id));
        CREATE TABLE film (film_id INTEGER NOT NULL, title VARCHAR(255) NOT NULL,
            description BLOB SUB_TYPE TEXT DEFAULT NULL, release_year VARCHAR(4) DEFAULT NULL, language_id INT NOT NULL,
            original_language_id INT DEFAULT NULL, rental_duration SMALLINT DEFAULT 3 NOT NULL,
            rental_rate DECIMAL(4,2) DEFAULT 4.99 NOT NULL, length SMALLINT DEFAULT NULL,
            replacement_cost DECIMAL(5,2) DEFAULT 19.99 NOT NULL, rating VARCHAR(10) DEFAULT 'G',
            special_features VARCHAR(100) DEFAULT NULL, last_update TIMESTAMP NOT NULL, PRIMARY KEY (film_id),
            CONSTRAINT CHECK_special_features CHECK(special_features is null or special_features like '%Trailers%' or
                special_features like '%Deleted Scenes%'),
            CONSTRAINT CHECK_special_rating CHECK(rating in ('G','PG','PG-13','R','NC-17')),
            CONSTRAINT fk_film_language FOREIGN KEY (language_id) REFERENCES language (language_id),
            CONSTRAINT fk_film_language_original FOREIGN KEY (original_language_id) REFERENCES language (language_id));
        CREATE TABLE film_actor (actor_id INT NOT NULL, film_id INT NOT NULL,
            last_update TIMESTAMP NOT NULL DEFAULT '2006-02-15', PRIMARY KEY (actor_id,film_id),
            CONSTRAINT fk_film_actor_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id)
                ON DELETE NO ACTION ON UPDATE CASCADE,
            CONSTRAINT fk_film_actor_film FOREIGN KEY (film_id) REFERENCES film (film_id)
                ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE film_text (film_id INTEGER NOT NULL, title VARCHAR(255) NOT NULL, description BLOB SUB_TYPE TEXT,
            PRIMARY KEY (film_id));
        CREATE TABLE store (store_id INTEGER NOT NULL, manager_staff_id INT NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (store_id),
            CONSTRAINT fk_store_staff FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id));
        CREATE TABLE staff (staff_id INTEGER NOT NULL, first_name VARCHAR(45) NOT NULL, picture BLOB DEFAULT NULL,
            store_id INT NOT NULL, active SMALLINT DEFAULT 1 NOT NULL, last_update TIMESTAMP NOT NULL,
            PRIMARY KEY (staff_id), CONSTRAINT fk_staff_store FOREIGN KEY (store_id) REFERENCES store (store_id)
                ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE TABLE customer (customer_id INTEGER NOT NULL, store_id INT NOT NULL, first_name VARCHAR(45) NOT NULL,
            email VARCHAR(50) DEFAULT NULL, active CHAR(1) DEFAULT 'Y' NOT NULL, create_date TIMESTAMP NOT NULL,
            last_update TIMESTAMP NOT NULL, PRIMARY KEY (customer_id),
            CONSTRAINT fk_customer_store FOREIGN KEY (store_id) REFERENCES store (store_id)
                ON DELETE NO ACTION ON UPDATE CASCADE);
        CREATE VIEW customer_list AS SELECT cu.customer_id AS ID, cu.first_name AS name,
            case when cu.active=1 then 'active' else '' end AS notes FROM customer AS cu;
        """

    private static var statements: [String] {
        tables.split(separator: ";\n").map(String.init)
            + ["actor", "language", "film", "film_actor", "store", "staff", "customer"].flatMap { table in
                [("ai", "INSERT"), ("au", "UPDATE")].map { suffix, event in
                    """
                    CREATE TRIGGER \(table)_trigger_\(suffix) AFTER \(event) ON \(table)
                     BEGIN
                      UPDATE \(table) SET last_update = DATETIME('NOW')  WHERE rowid = new.rowid;
                     END
                    """
                }
            } + [
                "INSERT INTO language VALUES (1, 'English', '2006-02-15 05:02:19.000')",
                "INSERT INTO actor VALUES (1, 'PENELOPE', 'GUINESS', '2006-02-15 04:34:33.000')",
                """
                INSERT INTO film VALUES (1, 'ACADEMY DINOSAUR', 'A Epic Drama', '2006', 1, NULL, 6, 0.99, 86, 20.99, 'PG',
                    'Deleted Scenes,Behind the Scenes', '2006-02-15 05:03:42.000')
                """,
                "INSERT INTO film_actor VALUES (1, 1, '2006-02-15 05:05:03.000')",
                "INSERT INTO film_text VALUES (1, 'ACADEMY DINOSAUR', 'A Epic Drama')",
                "INSERT INTO store VALUES (1, 1, '2006-02-15 04:57:12.000')",
                "INSERT INTO staff VALUES (1, 'Mike', x'89504E', 1, 1, '2006-02-15 04:57:16.000')",
                """
                INSERT INTO customer VALUES (1, 1, 'MARY', NULL, '1', '2006-02-14 22:04:36.000', '2006-02-15 04:57:20'),
                    (2, 1, 'LINDA', NULL, '0', '2006-02-14 22:04:36.000', '2006-02-15 04:57:20')
                """,
            ]
    }

    @Test func `all tables are adopted, read, written and queried`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in Self.statements where !sql.hasPrefix("INSERT") {
                try await db.sql("\(unsafe: sql)").execute()
            }
            try await db.transaction { tx async throws in
                try await tx.sql("\(unsafe: "PRAGMA defer_foreign_keys = ON")").execute()
                for sql in Self.statements where sql.hasPrefix("INSERT") {
                    try await tx.sql("\(unsafe: sql)").execute()
                }
            }
            let schema = Schema(
                adopting: [
                    Actor.self, Language.self, Film.self, FilmActor.self, FilmText.self, Store.self, Staff.self,
                    Customer.self, CustomerEntry.self,
                ])
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)

            let film = try #require(try await db.find(Film.self, key: 1))
            #expect(film.rentalRate == Decimal(string: "0.99") && film.rating == .pg && film.summary == "A Epic Drama")
            #expect(film.specialFeatures == Features("Deleted Scenes", "Behind the Scenes"))
            #expect(film.actors.first?.films.first === film && film.parts.first?.actor === film.actors.first)
            #expect(film.lastUpdate != nil && film.parts.first?.lastUpdate != nil)
            #expect(
                try await db.fetch(FilmText.self) == [FilmText(id: 1, title: film.title, description: film.summary)])
            let store = try #require(try await db.find(Store.self, key: 1))
            #expect(store.manager?.store === store && store.staff.first?.picture == Data([0x89, 0x50, 0x4E]))
            #expect(try await db.query(Customer.self).where { $0.isActive }.fetch().map(\.firstName) == ["MARY"])
            #expect(try await db.fetch(CustomerEntry.self).map(\.notes) == ["active", ""])

            let next = Film("ACE GOLDFINGER", try #require(film.language))
            (next.specialFeatures, next.originalLanguage) = (Features("Trailers"), Language("Italian"))
            next.actors = [Actor("BOB", "FAWCETT")] + film.actors
            try await db.save(next)
            let day = Date(timeIntervalSince1970: 1_140_000_000)
            let customer = Customer("ANN", store, since: day)
            store.staff.append(Staff("Jon", store))
            try await db.transaction { tx async throws in
                try await tx.save(customer)
                try await tx.save(store)
            }
            #expect(
                try await db.sql("SELECT create_date || active FROM customer WHERE customer_id = 3").fetch(
                    as: String.self)
                    == ["2006-02-15 10:40:001"])
            #expect(
                try await db.query(Film.self).where { $0.actors.contains { $0.lastName == "GUINESS" } }.count() == 2)
            #expect(
                try await db.query(Film.self).where { $0.originalLanguage.name == "Italian" }.fetch().map(\.id) == [2])
            #expect(try await db.query(Customer.self).where { $0.createDate == day }.count() == 1)
            #expect(try await db.query(Staff.self).where { $0.store.manager.firstName == "Mike" }.count() == 2)
            film.rentalRate = 2
            film.actors = []
            try await db.save(film)
            #expect(try await db.query(FilmActor.self).where { $0.film.title == "ACADEMY DINOSAUR" }.count() == 0)
            next.specialFeatures = Features("none")
            let refused = await #expect(throws: DatabaseError.self) { try await db.save(next) }
            #expect(refused?.code == .checkViolation)
            #expect(try await db.delete(film) == 1)
            #expect(try await db.sql("PRAGMA foreign_key_check").fetch().isEmpty)
        }
    }
}
