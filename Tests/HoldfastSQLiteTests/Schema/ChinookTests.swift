import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The tables of Chinook in its edition for SQLite, as its authors declare them: with natural types, and a relation for
/// each foreign key.
@Suite struct ChinookTests {
    @Table("Artist", naming: .asDeclared) final class Artist {
        @PrimaryKey(.database) @Column("ArtistId") var id: Int?
        @Column("Name") var name: String?
        @Relation(inverse: \Album.artist, loading: .eager) var albums: [Album] = []
        init(_ name: String) { self.name = name }
    }

    @Table("Album", naming: .asDeclared) final class Album {
        @PrimaryKey(.database) @Column("AlbumId") var id: Int?
        @Column("Title") var title: String
        @Column("ArtistId") var artist: Artist?
        @Relation(inverse: \Track.album, loading: .eager) var tracks: [Track] = []
        init(_ title: String, _ artist: Artist) { (self.title, self.artist) = (title, artist) }
    }

    @Table("Genre", naming: .asDeclared) final class Genre {
        @PrimaryKey(.database) @Column("GenreId") var id: Int?
        @Column("Name") var name: String?
        init(_ name: String) { self.name = name }
    }

    @Table("MediaType", naming: .asDeclared) final class MediaType {
        @PrimaryKey(.database) @Column("MediaTypeId") var id: Int?
        @Column("Name") var name: String?
        init(_ name: String) { self.name = name }
    }

    @Table("Track", naming: .asDeclared) final class Track {
        @PrimaryKey(.database) @Column("TrackId") var id: Int?
        @Column("Name") var name: String
        @Column("AlbumId") var album: Album?
        @Required @Column("MediaTypeId") var mediaType: MediaType?
        @Column("GenreId") var genre: Genre?
        @Column("Composer") var composer: String?
        @Column("Milliseconds") var milliseconds: Int
        @Column("Bytes") var bytes: Int?
        @Column("UnitPrice") var price: Decimal
        @Relation(inverse: \Playlist.tracks, loading: .eager) var playlists: [Playlist] = []
        init(_ name: String, _ mediaType: MediaType, milliseconds: Int, price: Decimal) {
            (self.name, self.mediaType, self.milliseconds, self.price) = (name, mediaType, milliseconds, price)
        }
    }

    @Table("Playlist", naming: .asDeclared) final class Playlist {
        @PrimaryKey(.database) @Column("PlaylistId") var id: Int?
        @Column("Name") var name: String?
        @Relation(joinTable: .named("PlaylistTrack", owner: "PlaylistId", element: "TrackId", position: nil))
        var tracks: [Track] = []
        init(_ name: String, _ tracks: [Track]) { (self.name, self.tracks) = (name, tracks) }
    }

    @Table("Employee", naming: .asDeclared) final class Employee {
        @PrimaryKey(.database) @Column("EmployeeId") var id: Int?
        @Column("LastName") var lastName: String
        @Column("FirstName") var firstName: String
        @Column("ReportsTo") var superior: Employee?
        @Column("BirthDate", storage: .text) var birthDate: Date?
        @Column("HireDate", storage: .text) var hireDate: Date?
        @Relation(inverse: \Employee.superior, loading: .eager) var reports: [Employee] = []
        @Relation(inverse: \Customer.representative, loading: .eager) var customers: [Customer] = []
        init(_ lastName: String, _ firstName: String) { (self.lastName, self.firstName) = (lastName, firstName) }
    }

    @Table("Customer", naming: .asDeclared) final class Customer {
        @PrimaryKey(.database) @Column("CustomerId") var id: Int?
        @Column("FirstName") var firstName: String
        @Column("LastName") var lastName: String
        @Column("Country") var country: String?
        @Column("Email") var email: String
        @Column("SupportRepId") var representative: Employee?
        @Relation(inverse: \Invoice.customer, loading: .eager) var invoices: [Invoice] = []
        init(_ firstName: String, _ lastName: String, _ email: String) {
            (self.firstName, self.lastName, self.email) = (firstName, lastName, email)
        }
    }

    @Table("Invoice", naming: .asDeclared) final class Invoice {
        @PrimaryKey(.database) @Column("InvoiceId") var id: Int?
        @Required @Column("CustomerId") var customer: Customer?
        @Column("InvoiceDate", storage: .text) var date: Date
        @Column("BillingCountry") var country: String?
        @Column("Total") var total: Decimal
        @Relation(inverse: \InvoiceLine.invoice, loading: .eager) var lines: [InvoiceLine] = []
        init(_ customer: Customer, on date: Date, total: Decimal) {
            (self.customer, self.date, self.total) = (customer, date, total)
        }
    }

    @Table("InvoiceLine", naming: .asDeclared) final class InvoiceLine {
        @PrimaryKey(.database) @Column("InvoiceLineId") var id: Int?
        @Required @Column("InvoiceId") var invoice: Invoice?
        @Required @Column("TrackId") var track: Track?
        @Column("UnitPrice") var price: Decimal
        @Column("Quantity") var quantity: Int
        init(_ track: Track, _ quantity: Int) {
            (self.track, price, self.quantity) = (track, track.price, quantity)
        }
    }

    private static let tables = """
        CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
            CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
            FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
        CREATE TABLE [Customer] ([CustomerId] INTEGER NOT NULL, [FirstName] NVARCHAR(40) NOT NULL,
            [LastName] NVARCHAR(20) NOT NULL, [Company] NVARCHAR(80), [Country] NVARCHAR(40),
            [Email] NVARCHAR(60) NOT NULL, [SupportRepId] INTEGER,
            CONSTRAINT [PK_Customer] PRIMARY KEY ([CustomerId]),
            FOREIGN KEY ([SupportRepId]) REFERENCES [Employee] ([EmployeeId])
            ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Employee] ([EmployeeId] INTEGER NOT NULL, [LastName] NVARCHAR(20) NOT NULL,
            [FirstName] NVARCHAR(20) NOT NULL, [Title] NVARCHAR(30), [ReportsTo] INTEGER, [BirthDate] DATETIME,
            [HireDate] DATETIME, CONSTRAINT [PK_Employee] PRIMARY KEY ([EmployeeId]),
            FOREIGN KEY ([ReportsTo]) REFERENCES [Employee] ([EmployeeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Genre] ([GenreId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_Genre] PRIMARY KEY ([GenreId]));
        CREATE TABLE [Invoice] ([InvoiceId] INTEGER NOT NULL, [CustomerId] INTEGER NOT NULL,
            [InvoiceDate] DATETIME NOT NULL, [BillingCountry] NVARCHAR(40), [Total] NUMERIC(10,2) NOT NULL,
            CONSTRAINT [PK_Invoice] PRIMARY KEY ([InvoiceId]),
            FOREIGN KEY ([CustomerId]) REFERENCES [Customer] ([CustomerId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [InvoiceLine] ([InvoiceLineId] INTEGER NOT NULL, [InvoiceId] INTEGER NOT NULL,
            [TrackId] INTEGER NOT NULL, [UnitPrice] NUMERIC(10,2) NOT NULL, [Quantity] INTEGER NOT NULL,
            CONSTRAINT [PK_InvoiceLine] PRIMARY KEY ([InvoiceLineId]),
            FOREIGN KEY ([InvoiceId]) REFERENCES [Invoice] ([InvoiceId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [MediaType] ([MediaTypeId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_MediaType] PRIMARY KEY ([MediaTypeId]));
        CREATE TABLE [Playlist] ([PlaylistId] INTEGER NOT NULL, [Name] NVARCHAR(120),
            CONSTRAINT [PK_Playlist] PRIMARY KEY ([PlaylistId]));
        CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL,
            CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY ([PlaylistId], [TrackId]),
            FOREIGN KEY ([PlaylistId]) REFERENCES [Playlist] ([PlaylistId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([TrackId]) REFERENCES [Track] ([TrackId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE TABLE [Track] ([TrackId] INTEGER NOT NULL, [Name] NVARCHAR(200) NOT NULL, [AlbumId] INTEGER,
            [MediaTypeId] INTEGER NOT NULL, [GenreId] INTEGER, [Composer] NVARCHAR(220),
            [Milliseconds] INTEGER NOT NULL, [Bytes] INTEGER, [UnitPrice] NUMERIC(10,2) NOT NULL,
            CONSTRAINT [PK_Track] PRIMARY KEY ([TrackId]),
            FOREIGN KEY ([AlbumId]) REFERENCES [Album] ([AlbumId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([GenreId]) REFERENCES [Genre] ([GenreId]) ON DELETE NO ACTION ON UPDATE NO ACTION,
            FOREIGN KEY ([MediaTypeId]) REFERENCES [MediaType] ([MediaTypeId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
        CREATE INDEX [IFK_TrackAlbumId] ON [Track] ([AlbumId]);
        INSERT INTO [Artist] VALUES (1, 'AC/DC'), (2, 'Antônio Carlos Jobim'), (3, NULL);
        INSERT INTO [Album] VALUES (1, 'For Those About To Rock', 1), (2, 'Chill: Brazil', 2);
        INSERT INTO [Genre] VALUES (1, 'Rock'), (2, 'Latin');
        INSERT INTO [MediaType] VALUES (1, 'MPEG audio file'), (2, 'AAC audio file');
        INSERT INTO [Track] VALUES (1, 'For Those About To Rock', 1, 1, 1, 'Angus Young', 343719, 11170334, 0.99),
            (2, 'Desafinado', 2, 1, 2, NULL, 185338, 5990473, 0.99), (3, 'Battlestar', NULL, 2, NULL, NULL, 2, NULL, 1.99);
        INSERT INTO [Playlist] VALUES (1, 'Music'), (2, NULL);
        INSERT INTO [PlaylistTrack] VALUES (1, 2), (1, 1), (2, 3);
        INSERT INTO [Employee] VALUES (1, 'Adams', 'Andrew', 'General Manager', NULL, '1962-02-18 00:00:00',
            '2002-08-14 00:00:00'), (2, 'Edwards', 'Nancy', 'Sales Manager', 1, '1958-12-08 00:00:00',
            '2002-05-01 00:00:00');
        INSERT INTO [Customer] VALUES (1, 'Luís', 'Gonçalves', 'Embraer', 'Brazil', 'luisg@embraer.com.br', 2);
        INSERT INTO [Invoice] VALUES (1, 1, '2009-01-01 00:00:00', 'Germany', 1.98),
            (2, 1, '2010-03-11 00:00:00', 'Brazil', 13.86);
        INSERT INTO [InvoiceLine] VALUES (1, 1, 2, 0.99, 1), (2, 1, 1, 0.99, 1), (3, 2, 3, 1.99, 2);
        """

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in Self.tables.split(separator: ";\n") { try await db.sql("\(unsafe: String(sql))").execute() }
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
                SELECT coalesce(ar.Name, '-') || sum(l.Quantity) FROM InvoiceLine l JOIN Track t USING (TrackId)
                LEFT JOIN Album al USING (AlbumId) LEFT JOIN Artist ar USING (ArtistId) GROUP BY ar.Name ORDER BY ar.Name
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
                SELECT i.InvoiceDate || ' ' || i.Total || ' ' || a.Title || ' ' || g.Name FROM Invoice i
                JOIN InvoiceLine USING (InvoiceId) JOIN Track t USING (TrackId) JOIN Album a USING (AlbumId)
                JOIN Genre g USING (GenreId) JOIN PlaylistTrack p USING (TrackId) WHERE p.PlaylistId = 3 AND i.InvoiceId = 3
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
            #expect(try await db.sql("SELECT count(*) FROM PlaylistTrack").first(as: Int.self) == 3)
            #expect(try await db.sql("PRAGMA foreign_key_check").fetch().isEmpty)
        }
    }
}
