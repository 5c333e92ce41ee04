import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// The tables of Chinook in its edition for PostgreSQL, as its authors declare them: with natural types, and a relation
/// for each foreign key.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ChinookTests {
    @Table("artist") final class Artist {
        @PrimaryKey(.database) @Column("artist_id") var id: Int32?
        @Column("name") var name: String?
        @Relation(inverse: \Album.artist, loading: .eager) var albums: [Album] = []
        init(_ name: String) { self.name = name }
    }

    @Table("album") final class Album {
        @PrimaryKey(.database) @Column("album_id") var id: Int32?
        @Column("title") var title: String
        @Column("artist_id") var artist: Artist?
        @Relation(inverse: \Track.album, loading: .eager) var tracks: [Track] = []
        init(_ title: String, _ artist: Artist) { (self.title, self.artist) = (title, artist) }
    }

    @Table("genre") final class Genre {
        @PrimaryKey(.database) @Column("genre_id") var id: Int32?
        @Column("name") var name: String?
        init(_ name: String) { self.name = name }
    }

    @Table("media_type") final class MediaType {
        @PrimaryKey(.database) @Column("media_type_id") var id: Int32?
        @Column("name") var name: String?
        init(_ name: String) { self.name = name }
    }

    @Table("track") final class Track {
        @PrimaryKey(.database) @Column("track_id") var id: Int32?
        @Column("name") var name: String
        @Column("album_id") var album: Album?
        @Required @Column("media_type_id") var mediaType: MediaType?
        @Column("genre_id") var genre: Genre?
        @Column("composer") var composer: String?
        @Column("milliseconds") var milliseconds: Int
        @Column("bytes") var bytes: Int?
        @Column("unit_price") var price: Decimal
        @Relation(inverse: \Playlist.tracks, loading: .eager) var playlists: [Playlist] = []
        init(_ name: String, _ mediaType: MediaType, milliseconds: Int, price: Decimal) {
            (self.name, self.mediaType, self.milliseconds, self.price) = (name, mediaType, milliseconds, price)
        }
    }

    @Table("playlist") final class Playlist {
        @PrimaryKey(.database) @Column("playlist_id") var id: Int32?
        @Column("name") var name: String?
        @Relation(joinTable: .named("playlist_track", owner: "playlist_id", element: "track_id", position: nil))
        var tracks: [Track] = []
        init(_ name: String, _ tracks: [Track]) { (self.name, self.tracks) = (name, tracks) }
    }

    @Table("employee") final class Employee {
        @PrimaryKey(.database) @Column("employee_id") var id: Int32?
        @Column("last_name") var lastName: String
        @Column("first_name") var firstName: String
        @Column("reports_to") var superior: Employee?
        @Column("birth_date") var birthDate: Date?
        @Column("hire_date") var hireDate: Date?
        @Relation(inverse: \Employee.superior, loading: .eager) var reports: [Employee] = []
        @Relation(inverse: \Customer.representative, loading: .eager) var customers: [Customer] = []
        init(_ lastName: String, _ firstName: String) { (self.lastName, self.firstName) = (lastName, firstName) }
    }

    @Table("customer") final class Customer {
        @PrimaryKey(.database) @Column("customer_id") var id: Int32?
        @Column("first_name") var firstName: String
        @Column("last_name") var lastName: String
        @Column("country") var country: String?
        @Column("email") var email: String
        @Column("support_rep_id") var representative: Employee?
        @Relation(inverse: \Invoice.customer, loading: .eager) var invoices: [Invoice] = []
        init(_ firstName: String, _ lastName: String, _ email: String) {
            (self.firstName, self.lastName, self.email) = (firstName, lastName, email)
        }
    }

    @Table("invoice") final class Invoice {
        @PrimaryKey(.database) @Column("invoice_id") var id: Int32?
        @Required @Column("customer_id") var customer: Customer?
        @Column("invoice_date") var date: Date
        @Column("billing_country") var country: String?
        @Column("total") var total: Decimal
        @Relation(inverse: \InvoiceLine.invoice, loading: .eager) var lines: [InvoiceLine] = []
        init(_ customer: Customer, on date: Date, total: Decimal) {
            (self.customer, self.date, self.total) = (customer, date, total)
        }
    }

    @Table("invoice_line") final class InvoiceLine {
        @PrimaryKey(.database) @Column("invoice_line_id") var id: Int32?
        @Required @Column("invoice_id") var invoice: Invoice?
        @Required @Column("track_id") var track: Track?
        @Column("unit_price") var price: Decimal
        @Column("quantity") var quantity: Int
        init(_ track: Track, _ quantity: Int) {
            (self.track, price, self.quantity) = (track, track.price, quantity)
        }
    }

    private static let tables = """
        CREATE TABLE album (album_id SERIAL NOT NULL, title VARCHAR(160) NOT NULL, artist_id INT NOT NULL,
            CONSTRAINT album_pkey PRIMARY KEY (album_id));
        CREATE TABLE artist (artist_id SERIAL NOT NULL, name VARCHAR(120),
            CONSTRAINT artist_pkey PRIMARY KEY (artist_id));
        CREATE TABLE customer (customer_id SERIAL NOT NULL, first_name VARCHAR(40) NOT NULL,
            last_name VARCHAR(20) NOT NULL, company VARCHAR(80), country VARCHAR(40), email VARCHAR(60) NOT NULL,
            support_rep_id INT, CONSTRAINT customer_pkey PRIMARY KEY (customer_id));
        CREATE TABLE employee (employee_id SERIAL NOT NULL, last_name VARCHAR(20) NOT NULL,
            first_name VARCHAR(20) NOT NULL, title VARCHAR(30), reports_to INT, birth_date TIMESTAMP, hire_date TIMESTAMP,
            CONSTRAINT employee_pkey PRIMARY KEY (employee_id));
        CREATE TABLE genre (genre_id SERIAL NOT NULL, name VARCHAR(120),
            CONSTRAINT genre_pkey PRIMARY KEY (genre_id));
        CREATE TABLE invoice (invoice_id SERIAL NOT NULL, customer_id INT NOT NULL, invoice_date TIMESTAMP NOT NULL,
            billing_country VARCHAR(40), total NUMERIC(10,2) NOT NULL,
            CONSTRAINT invoice_pkey PRIMARY KEY (invoice_id));
        CREATE TABLE invoice_line (invoice_line_id SERIAL NOT NULL, invoice_id INT NOT NULL, track_id INT NOT NULL,
            unit_price NUMERIC(10,2) NOT NULL, quantity INT NOT NULL,
            CONSTRAINT invoice_line_pkey PRIMARY KEY (invoice_line_id));
        CREATE TABLE media_type (media_type_id SERIAL NOT NULL, name VARCHAR(120),
            CONSTRAINT media_type_pkey PRIMARY KEY (media_type_id));
        CREATE TABLE playlist (playlist_id SERIAL NOT NULL, name VARCHAR(120),
            CONSTRAINT playlist_pkey PRIMARY KEY (playlist_id));
        CREATE TABLE playlist_track (playlist_id INT NOT NULL, track_id INT NOT NULL,
            CONSTRAINT playlist_track_pkey PRIMARY KEY (playlist_id, track_id));
        CREATE TABLE track (track_id SERIAL NOT NULL, name VARCHAR(200) NOT NULL, album_id INT,
            media_type_id INT NOT NULL, genre_id INT, composer VARCHAR(220), milliseconds INT NOT NULL, bytes INT,
            unit_price NUMERIC(10,2) NOT NULL, CONSTRAINT track_pkey PRIMARY KEY (track_id));
        ALTER TABLE album ADD FOREIGN KEY (artist_id) REFERENCES artist (artist_id);
        ALTER TABLE customer ADD FOREIGN KEY (support_rep_id) REFERENCES employee (employee_id);
        ALTER TABLE employee ADD FOREIGN KEY (reports_to) REFERENCES employee (employee_id);
        ALTER TABLE invoice ADD FOREIGN KEY (customer_id) REFERENCES customer (customer_id);
        ALTER TABLE invoice_line ADD FOREIGN KEY (invoice_id) REFERENCES invoice (invoice_id);
        ALTER TABLE invoice_line ADD FOREIGN KEY (track_id) REFERENCES track (track_id);
        ALTER TABLE playlist_track ADD FOREIGN KEY (playlist_id) REFERENCES playlist (playlist_id);
        ALTER TABLE playlist_track ADD FOREIGN KEY (track_id) REFERENCES track (track_id);
        ALTER TABLE track ADD FOREIGN KEY (album_id) REFERENCES album (album_id);
        ALTER TABLE track ADD FOREIGN KEY (genre_id) REFERENCES genre (genre_id);
        ALTER TABLE track ADD FOREIGN KEY (media_type_id) REFERENCES media_type (media_type_id);
        CREATE INDEX track_album_id_idx ON track (album_id);
        INSERT INTO artist (name) VALUES (N'AC/DC'), (N'Antônio Carlos Jobim'), (NULL);
        INSERT INTO album (title, artist_id) VALUES (N'For Those About To Rock', 1), (N'Chill: Brazil', 2);
        INSERT INTO genre (name) VALUES (N'Rock'), (N'Latin');
        INSERT INTO media_type (name) VALUES (N'MPEG audio file'), (N'AAC audio file');
        INSERT INTO track (name, album_id, media_type_id, genre_id, composer, milliseconds, bytes, unit_price) VALUES
            (N'For Those About To Rock', 1, 1, 1, N'Angus Young', 343719, 11170334, 0.99),
            (N'Desafinado', 2, 1, 2, NULL, 185338, 5990473, 0.99), (N'Battlestar', NULL, 2, NULL, NULL, 2, NULL, 1.99);
        INSERT INTO playlist (name) VALUES (N'Music'), (NULL);
        INSERT INTO playlist_track VALUES (1, 2), (1, 1), (2, 3);
        INSERT INTO employee (last_name, first_name, title, reports_to, birth_date, hire_date) VALUES
            (N'Adams', N'Andrew', N'General Manager', NULL, '1962/2/18', '2002/8/14'),
            (N'Edwards', N'Nancy', N'Sales Manager', 1, '1958/12/8', '2002/5/1');
        INSERT INTO customer (first_name, last_name, company, country, email, support_rep_id) VALUES
            (N'Luís', N'Gonçalves', N'Embraer', N'Brazil', N'luisg@embraer.com.br', 2);
        INSERT INTO invoice (customer_id, invoice_date, billing_country, total) VALUES
            (1, '2009/1/1', N'Germany', 1.98), (1, '2010/3/11', N'Brazil', 13.86);
        INSERT INTO invoice_line (invoice_id, track_id, unit_price, quantity) VALUES
            (1, 2, 0.99, 1), (1, 1, 0.99, 1), (2, 3, 1.99, 2)
        """

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            for statement in Self.tables.split(separator: ";\n") { try await connection.execute(String(statement)) }
            await connection.close()
            try await Database.withDatabase(TestServer.configuration(schema: driver.options.schema)) {
                db async throws in
                let schema = Schema(
                    adopting: [
                        Artist.self, Album.self, Genre.self, MediaType.self, Track.self, Playlist.self, Employee.self,
                        Customer.self, Invoice.self, InvoiceLine.self,
                    ])
                try await db.migrate(schema)
                #expect(try await db.migrate(schema).isEmpty)
                try await body(db)
            }
        }
    }

    @Test func `every row is read, over every foreign key`() async throws {
        try await withDatabase { db async throws in
            let artists = try await db.fetch(Artist.self)
            #expect(artists.map(\.name) == ["AC/DC", "Antônio Carlos Jobim", nil])
            #expect(artists[0].albums[0].tracks.map(\.name) == ["For Those About To Rock"])
            #expect(artists[0].albums[0].tracks[0].playlists.map(\.name) == ["Music"])
            let tracks = try await db.fetch(Track.self)
            #expect(tracks.map(\.price) == ["0.99", "0.99", "1.99"].map { Decimal(string: $0) })
            #expect(tracks.map(\.bytes) == [11_170_334, 5_990_473, nil])
            #expect(tracks.map { $0.genre?.name } == ["Rock", "Latin", nil])
            #expect(tracks.map { $0.mediaType?.id } == [1, 1, 2] && tracks[2].album == nil)
            #expect(try await db.fetch(Playlist.self).map { $0.tracks.compactMap(\.id) } == [[1, 2], [3]])
            let nancy = try #require(try await db.find(Employee.self, key: 2))
            #expect(nancy.superior?.reports.first === nancy && nancy.superior?.superior == nil)
            #expect(nancy.hireDate == Date(timeIntervalSince1970: 1_020_211_200))
            let luis = try #require(nancy.customers.first)
            #expect(luis.invoices.map(\.total) == ["1.98", "13.86"].map { Decimal(string: $0) })
            #expect(luis.invoices[0].lines.compactMap(\.track?.name) == ["Desafinado", "For Those About To Rock"])
            #expect(luis.invoices[0].date == Date(timeIntervalSince1970: 1_230_768_000))
        }
    }

    @Test func `queries find what hand-written SQL finds`() async throws {
        try await withDatabase { db async throws in
            let day = Date(timeIntervalSince1970: 1_240_000_000)
            let late = db.query(Invoice.self).where { $0.date > day && $0.total > 10 }
            #expect(try await late.fetch().map(\.id) == [2])
            let sold = try await db.query(InvoiceLine.self).group { $0.track.album.artist.name }
                .select { ($0.track.album.artist.name, $0.quantity.sum) }.fetch()
            let written = try await db.sql(
                """
                SELECT coalesce(ar.name, '-') || sum(l.quantity) FROM invoice_line l JOIN track t USING (track_id)
                LEFT JOIN album al USING (album_id) LEFT JOIN artist ar USING (artist_id) GROUP BY ar.name
                ORDER BY ar.name COLLATE "C" NULLS FIRST
                """
            ).fetch(as: String.self)
            #expect(sold.map { "\($0.0 ?? "-")\($0.1 ?? 0)" } == written && written.count == 3)
            let latin = db.query(Playlist.self).where { $0.tracks.contains { $0.genre.name == "Latin" } }
            #expect(try await latin.fetch().map(\.id) == [1])
            #expect(
                try await db.query(Customer.self).where { $0.representative.superior.lastName == "Adams" }.count() == 1)
            #expect(try await db.query(Track.self).sum { $0.price } == Decimal(string: "3.97"))
        }
    }

    @Test func `rows are inserted, changed and deleted in the file's own forms`() async throws {
        try await withDatabase { db async throws in
            let customer = try #require(try await db.find(Customer.self, key: 1))
            let track = try #require(customer.invoices[1].lines.first?.track)
            let album = Album("Season 1", Artist("Various"))
            (track.album, track.genre) = (album, Genre("Drama"))
            let invoice = Invoice(customer, on: Date(timeIntervalSince1970: 1_700_000_000), total: track.price * 3)
            invoice.lines = [InvoiceLine(track, 3)]
            let playlist = Playlist("Late", [track])
            try await db.transaction { tx async throws in
                try await tx.save(invoice)
                try await tx.save(playlist)
            }
            let stored = try await db.sql(
                """
                SELECT i.invoice_date || ' ' || i.total || ' ' || a.title || ' ' || g.name FROM invoice i
                JOIN invoice_line USING (invoice_id) JOIN track t USING (track_id) JOIN album a USING (album_id)
                JOIN genre g USING (genre_id) JOIN playlist_track p USING (track_id) WHERE p.playlist_id = 3 AND i.invoice_id = 3
                """
            ).fetch(as: String.self)
            #expect(stored == ["2023-11-14 22:13:20 5.97 Season 1 Drama"])
            playlist.tracks = []
            playlist.name = nil
            try await db.save(playlist)
            let denied = await #expect(throws: DatabaseError.self) { _ = try await db.delete(track) }
            #expect(denied?.code == .foreignKeyViolation)
            #expect(try await db.delete(invoice.lines[0]) == 1)
            #expect(try await db.delete(invoice, including: []) == 1)
            #expect(try await db.sql("SELECT count(*) FROM playlist_track").first(as: Int.self) == 3)
        }
    }
}
