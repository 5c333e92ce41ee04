import Foundation
import Holdfast

/// Types over tables that other programs have made, with the forms in which they store values.
enum Foreign {
    /// Dates in all forms, in one row.
    @Table("foreign_dates")
    struct Dates: Equatable {
        let id: Int64
        @Column(storage: .text) var text: Date
        @Column(storage: .seconds) var seconds: Date?
        @Column(storage: .milliseconds) var milliseconds: Date?
        @Column(storage: .julianDay) var day: Date?

        static func make(_ db: Database) async throws {
            try await db.sql(
                """
                CREATE TABLE foreign_dates (
                    id bigint PRIMARY KEY NOT NULL, text varchar(40) NOT NULL, seconds bigint, milliseconds bigint,
                    day double precision
                )
                """
            ).execute()
        }
    }

    /// A document whose key is a UUID as text, with a reference to another one.
    @Table("foreign_document")
    final class Document {
        @PrimaryKey @Column(storage: .text) let id: UUID
        var title: String
        @Column("parent") var parent: Document?
        @Column("author") var author: Reference<Author>?
        @Column(storage: .text) var token: UUID?

        init(id: UUID = UUID(), title: String, parent: Document? = nil) {
            (self.id, self.title, self.parent) = (id, title, parent)
        }

        static func make(_ db: Database) async throws {
            try await db.sql("CREATE TABLE foreign_author (id varchar(36) PRIMARY KEY NOT NULL, name varchar(40))")
                .execute()
            try await db.sql(
                """
                CREATE TABLE foreign_document (
                    id varchar(36) PRIMARY KEY NOT NULL, title varchar(40) NOT NULL,
                    parent varchar(36) REFERENCES foreign_document (id),
                    author varchar(36) REFERENCES foreign_author (id), token varchar(36)
                )
                """
            ).execute()
        }
    }

    /// An author whose key is a UUID as text in upper case.
    @Table("foreign_author")
    struct Author: Equatable {
        @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
        var name: String?
    }

    /// Booleans in words, and decimals as text.
    @Table("foreign_words")
    struct Words: Equatable {
        let id: Int64
        @Column(storage: .words(true: "Y", false: "N")) var active: Bool
        @Column(storage: .words(true: "ja", false: "nein")) var paid: Bool?
        @Column(storage: .text) var price: Decimal?
        var sent = true

        static func make(_ db: Database) async throws {
            try await db.sql(
                """
                CREATE TABLE foreign_words (
                    id bigint PRIMARY KEY NOT NULL, active char(1) NOT NULL, paid varchar(4), price varchar(20),
                    sent boolean NOT NULL
                )
                """
            ).execute()
        }
    }

    /// Booleans as numbers.
    @Table("foreign_flags")
    struct Flags: Equatable {
        let id: Int64
        @Column(storage: .integer) var active: Bool
        @Column(storage: .integer) var paid: Bool?
        var sent = true

        static func make(_ db: Database) async throws {
            try await db.sql(
                """
                CREATE TABLE foreign_flags (
                    id bigint PRIMARY KEY NOT NULL, active integer NOT NULL, paid smallint, sent boolean NOT NULL
                )
                """
            ).execute()
        }
    }

    /// This table, as a migration makes it.
    @Table("foreign_own_flags")
    struct OwnFlags: Equatable {
        let id: Int64
        @Column(storage: .integer) var active = true
        @Column(storage: .integer) var several: [Bool] = []
    }

    /// A line of an order whose total the database computes.
    @Table("foreign_line")
    final class Line {
        @PrimaryKey let id: Int64
        @Unique var code: String
        var price: Int
        var count: Int
        @Column(generated: true) var total: Int?

        init(id: Int64, code: String, price: Int, count: Int) {
            (self.id, self.code, self.price, self.count) = (id, code, price, count)
        }

        static func make(_ db: Database) async throws {
            try await db.sql(
                """
                CREATE TABLE foreign_line (
                    id bigint PRIMARY KEY NOT NULL, code varchar(20) NOT NULL UNIQUE, price bigint NOT NULL,
                    count bigint NOT NULL, total bigint GENERATED ALWAYS AS (price * count) STORED
                )
                """
            ).execute()
        }
    }

    /// This table for a struct.
    @Table("foreign_line")
    struct LineValue: Equatable {
        var id: Int64
        @Unique var code: String
        var price: Int
        var count: Int
        @Column(generated: true) var total = 0
    }

    /// Arrays in one column each.
    @Table("foreign_arrays")
    struct Arrays: Equatable {
        enum Mood: String, Storable { case glad, sad }

        let id: Int64
        @Column(storage: .array) var tags: [String] = []
        @Column(storage: .array) var numbers: [Int]?
        @Column(storage: .array) var marks: [UUID] = []
        @Column(storage: .array) var ratios: [Double] = []
        @Column(storage: .array) var moods: [Mood] = []
        @Column(storage: .array) var flags: [Bool?] = []
        @Column(storage: .array) var levels: [Int16] = []
    }

    /// Arrays of values that JSON alone can't tell, in one column each.
    @Table("foreign_kinds")
    struct Kinds: Equatable {
        enum Level: Int16, Storable { case low = 1, high = 9 }

        let id: Int64
        @Column(storage: .array) var prices: [Decimal] = []
        @Column(storage: .array) var dates: [Date] = []
        @Column(storage: .array) var perhaps: [Decimal?]?
        @Column(storage: .array) var days: [Date?]?
        @Column(storage: .array) var levels: [Level] = []
        @Column(storage: .array) var ratios: [Float] = []
    }

    /// Texts of values whose type is the column's own.
    @Table("foreign_texts")
    final class Texts {
        let id: Int64
        @Column(storage: .text) var span: String
        @Column(storage: .text) var note: String?
        var group: Int

        init(id: Int64, span: String, note: String? = nil, group: Int = 0) {
            (self.id, self.span, self.note, self.group) = (id, span, note, group)
        }

        static func make(_ db: Database) async throws {
            try await db.sql(
                """
                CREATE TABLE foreign_texts (
                    id bigint PRIMARY KEY NOT NULL, span varchar(40) NOT NULL, note varchar(40), "group" bigint NOT NULL
                )
                """
            ).execute()
        }
    }

    /// A text of a column's own type as a key, which has several forms.
    @Table("foreign_texts")
    struct KeyText {
        @PrimaryKey @Column(storage: .text) let span: String
    }

    /// All storages in a table that a migration makes.
    @Table("foreign_own")
    struct Own: Equatable {
        @PrimaryKey @Column(storage: .text) let id: UUID
        @Column(storage: .text) var sent: Date
        @Column(storage: .seconds) var seen: Date
        @Column(storage: .julianDay) var day: Date
        @Column(storage: .text) var price: Decimal = 0
        @Column(storage: .words(true: "yes", false: "no")) var active = true
        @Column(storage: .text) var several: [Date] = []
        @Column(storage: .words(true: "yes", false: "no")) var answers: [Bool] = []
        @Timestamp(.created) @Column(storage: .text) var createdAt: Date?
        @Timestamp(.modified) @Column(storage: .seconds) var modifiedAt: Date?
    }

    /// This table with another storage of one property.
    @Table("foreign_own")
    struct OwnOtherwise {
        @PrimaryKey @Column(storage: .text) let id: UUID
        @Column(storage: .iso8601) var sent: Date
    }
}
