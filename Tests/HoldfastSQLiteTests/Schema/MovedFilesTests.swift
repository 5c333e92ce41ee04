import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Files as DBBBuilder, AgileDB and SundeedQLite lay them out, moved into tables that migrations make, with the models
/// of the article on moving from them.
@Suite struct MovedFilesTests {
    /// Types over the tables of DBBBuilder.
    enum DBB {
        @Table("Person", naming: .asDeclared) final class Person {
            @PrimaryKey(.database) var id: Int64?
            var firstName: String?
            @Column(storage: .secondsSince2001) var dateOfBirth: Date?
            var isActive: Bool?
            @Column(storage: .secondsSince2001) var createdTime: Date?
            @Column(storage: .secondsSince2001) var modifiedTime: Date?
            @Relation(inverse: \Hobby.person, loading: .eager) var hobbies: [Hobby] = []
            init() {}
        }

        /// An element of an array of values, in the table that the array has.
        @Table("Person_hobbies", naming: .asDeclared) final class Hobby {
            @PrimaryKey(.database) var id: Int64?
            @Column("Person_ID") @Relation(foreignKey: false) var person: Person?
            @Column("hobbies") var name: String
            init(_ name: String) { self.name = name }
        }

        @Table("Company", naming: .asDeclared) final class Company {
            @PrimaryKey(.database) var id: Int64?
            var name: String?
            @Relation(
                joinTable: .named("Company_employees", owner: "Company_ID", element: "employees", generatedKey: "id"),
                foreignKey: false)
            var employees: [Person] = []
            init() {}
        }
    }

    @Table final class Person {
        var id: Int64?
        var name: String
        var dateOfBirth: Date?
        var isActive = false
        var hobbies: [String] = []
        @Timestamp(.created) var createdTime: Date?
        @Timestamp(.modified) var modifiedTime: Date?
        init(_ name: String) { self.name = name }
    }

    @Table final class Company {
        var id: Int64?
        var name: String?
        var employees: [Person] = []
        init() {}
    }

    /// Types over the tables of AgileDB 6.5.
    enum Agile {
        @Table("Note", naming: .asDeclared) final class Note {
            @PrimaryKey var key: String
            var title: String?
            var stars: Int?
            @Relation(inverse: \Element.note, loading: .eager) var elements: [Element] = []
            init(key: String) { self.key = key }
        }

        /// An element of an array; the table has no key but the number of the row.
        @Table("Note_arrayValues", naming: .asDeclared, readOnly: true) final class Element {
            @PrimaryKey @Column("rowid") let number: Int64
            @Column("key") @Relation(foreignKey: false) var note: Note?
            let objectKey: String
            let stringValue: String?
            let intValue: Int?
            init(number: Int64, of name: String) {
                (self.number, objectKey, stringValue, intValue) = (number, name, nil, nil)
            }
        }
    }

    @Table struct Note: Equatable {
        @PrimaryKey var key: String
        var title: String
        var stars: Int?
        var tags: [String] = []
        var counts: [Int] = []
    }

    /// Types over the tables of SundeedQLite.
    enum Sundeed {
        @Table("Employee", naming: .asDeclared) final class Employee {
            @PrimaryKey(.database) @Column("SUNDEED_OFFLINE_ID") var id: Int64?
            @Column("SUNDEED_UNIQUE_KEY") var key: String?
            var firstName: String?
            @Column(storage: .millisecondsSince1970) var hiredAt: Date?
            init() {}
        }

        /// An element of an array of values, in the table of all properties of that name and type.
        @Table("skillsTEXT", naming: .asDeclared) final class Skill {
            @PrimaryKey(.database) @Column("SUNDEED_OFFLINE_ID") var id: Int64?
            @Column("SUNDEED_FOREIGN_KEY") @Relation(foreignKey: false) var firm: Firm?
            @Column("VALUE") var value: String
            init(_ value: String) { self.value = value }
        }

        @Table("Firm", naming: .asDeclared) final class Firm {
            @PrimaryKey @Column("SUNDEED_UNIQUE_KEY") var key: String
            @Column("SUNDEED_FIELD_NAME_LINK") var link: String?
            var title: String?
            @Relation(inverse: \Skill.firm, loading: .eager) var skills: [Skill] = []
            @Relation(
                joinTable: .named(
                    "Firm_staff", owner: "SUNDEED_FOREIGN_KEY", element: "SUNDEED_OFFLINE_ID", position: nil),
                foreignKey: false)
            var staff: [Employee] = []
            init(key: String) { self.key = key }
        }
    }

    @Table final class Employee {
        var id: Int64?
        var key: String?
        var firstName: String?
        var hiredAt: Date?
        init() {}
    }

    @Table final class Firm {
        @PrimaryKey var key: String
        var title: String?
        var skills: [String] = []
        var staff: [Employee] = []
        init(key: String) { self.key = key }
    }

    private func withFile(
        _ statements: [String], _ body: (_ old: Database, _ new: Database) async throws -> Void
    ) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { old async throws in
            for sql in statements { try await old.sql("\(unsafe: sql)").execute() }
            try await Database.withDatabase(.sqlite(.inMemory)) { try await body(old, $0) }
        }
    }

    @Test func `objects of DBBBuilder, with arrays of values and of objects`() async throws {
        let tables = [
            """
            CREATE TABLE Person (id Integer PRIMARY KEY AUTOINCREMENT, firstName Text, dateOfBirth Real,
                isActive Boolean, createdTime Real, modifiedTime Real)
            """,
            "CREATE TABLE Company (id Integer PRIMARY KEY AUTOINCREMENT, name Text, createdTime Real, modifiedTime Real)",
            "CREATE TABLE Company_employees (id Integer PRIMARY KEY AUTOINCREMENT, Company_ID Integer, employees Integer)",
            "CREATE TABLE Person_hobbies (id Integer PRIMARY KEY AUTOINCREMENT, Person_ID Integer, hobbies Text)",
            "INSERT INTO Person VALUES (3, 'Ann', -220924800, 1, 700000000.5, 700000001), (5, 'Ben', NULL, 0, 700000000, 700000000)",
            "INSERT INTO Person_hobbies (Person_ID, hobbies) VALUES (3, 'chess'), (5, 'golf'), (3, 'art'), (3, 'chess')",
            "INSERT INTO Company VALUES (1, 'Acme', 700000001, 700000001)",
            "INSERT INTO Company_employees (Company_ID, employees) VALUES (1, 5), (1, 3), (1, 99)",
        ]
        try await withFile(tables) { old, db async throws in
            let person = try #require(try await old.find(DBB.Person.self, key: 3))
            #expect(person.hobbies.map(\.name) == ["chess", "art", "chess"])
            person.hobbies.append(DBB.Hobby("tea"))
            try await old.save(person)
            #expect(try await old.sql("SELECT hobbies FROM Person_hobbies WHERE Person_ID = 3").fetch().count == 4)

            try await db.migrate(Company.self, Person.self)
            let imports = [
                ObjectImport(
                    DBB.Person.self, as: Person.self, renaming: ["firstName": "name"], loading: ["hobbies"]
                ) { old, values in values["hobbies"] = old.hobbies.map(\.name) },
                ObjectImport(DBB.Company.self, as: Company.self),
            ]
            let dangling = await #expect(throws: DatabaseError.self) {
                try await db.importObjects(from: old, imports)
            }
            #expect(dangling?.code == .notFound)
            #expect(try await db.count(Person.self) == 0)
            let report = try await db.importObjects(from: old, imports, missingTarget: .nil)
            #expect(report.counts == ["Person": 2, "Company": 1] && report.total == 3)
            let company = try #require(try await db.find(Company.self, key: 1))
            #expect(company.employees.map(\.name) == ["Ben", "Ann"])
            let ann = company.employees[1]
            #expect(ann.id == 3 && ann.isActive && ann.hobbies == ["chess", "art", "chess", "tea"])
            #expect(ann.dateOfBirth == Date(timeIntervalSinceReferenceDate: -220_924_800))
            #expect(ann.createdTime == Date(timeIntervalSinceReferenceDate: 700_000_000.5))
            #expect(company.employees[0].modifiedTime == Date(timeIntervalSinceReferenceDate: 700_000_000))
        }
    }

    @Test func `documents of AgileDB 6.5, with their arrays`() async throws {
        let tables = [
            """
            CREATE TABLE Note (key text PRIMARY KEY, autoDeleteDateTime text, addedDateTime text, updatedDateTime text,
                hasArrayValues text)
            """,
            "CREATE INDEX idx_Note_autoDeleteDateTime ON Note(autoDeleteDateTime)",
            """
            CREATE TABLE Note_arrayValues (key text, objectKey text, stringValue text, intValue int, doubleValue double)
            """,
            "CREATE INDEX idx_Note_arrayValues_keys ON Note_arrayValues(key,objectKey)",
            "ALTER TABLE Note ADD COLUMN title text",
            "ALTER TABLE Note ADD COLUMN stars int",
            """
            INSERT INTO Note VALUES ('n1', NULL, '2026-11-21T09:30:00.000+01:00', '2026-11-21T09:30:00.000+01:00',
                'tags:stringArray,counts:intArray', 'One', 3), ('n2', NULL, '', '', '', 'Two', NULL)
            """,
            """
            INSERT INTO Note_arrayValues (key, objectKey, stringValue, intValue) VALUES ('n1', 'tags', 'b', NULL),
                ('n1', 'counts', NULL, 7), ('n1', 'tags', 'a', NULL), ('n1', 'tags', 'b', NULL)
            """,
        ]
        try await withFile(tables) { old, db async throws in
            let note = try #require(try await old.find(Agile.Note.self, key: "n1"))
            #expect(note.elements.filter { $0.objectKey == "tags" }.map(\.stringValue) == ["b", "a", "b"])
            let tagged = old.query(Agile.Note.self).where { $0.elements.contains { $0.stringValue == "a" } }
            #expect(try await tagged.count() == 1)
            try await db.migrate(Note.self)
            let notes = ObjectImport(Agile.Note.self, as: Note.self, loading: ["elements"]) { old, values in
                values["tags"] = old.elements.filter { $0.objectKey == "tags" }.compactMap(\.stringValue)
                values["counts"] = old.elements.filter { $0.objectKey == "counts" }.compactMap(\.intValue)
            }
            #expect(try await db.importObjects(from: old, [notes]).total == 2)
            #expect(
                try await db.fetch(Note.self) == [
                    Note(key: "n1", title: "One", stars: 3, tags: ["b", "a", "b"], counts: [7]),
                    Note(key: "n2", title: "Two"),
                ])
        }
    }

    @Test func `objects of SundeedQLite, with the copies that others hold`() async throws {
        func table(_ name: String, _ columns: String) -> String {
            """
            CREATE TABLE \(name) (SUNDEED_OFFLINE_ID INTEGER PRIMARY KEY, SUNDEED_FOREIGN_KEY TEXT,
                SUNDEED_FIELD_NAME_LINK TEXT, \(columns), SUNDEED_UNIQUE_KEY TEXT,
                UNIQUE (SUNDEED_FOREIGN_KEY, SUNDEED_UNIQUE_KEY, SUNDEED_FIELD_NAME_LINK))
            """
        }
        let tables = [
            "CREATE TABLE skillsTEXT (SUNDEED_OFFLINE_ID INTEGER PRIMARY KEY, SUNDEED_FOREIGN_KEY TEXT, VALUE TEXT)",
            "INSERT INTO skillsTEXT (SUNDEED_FOREIGN_KEY, VALUE) VALUES ('F-1', 'law'), ('F-1', 'art'), ('F-1', 'law')",
            table("Firm", "title TEXT, staff TEXT"), table("Employee", "firstName TEXT, hiredAt DOUBLE"),
            """
            INSERT INTO Firm VALUES (1, '', '', 'Acme', 'SUNDEED_FOREIGN|Employee|staff', 'F-1'),
                (2, 'X-1', 'buyer', 'Copy', NULL, 'F-1')
            """,
            """
            INSERT INTO Employee VALUES (1, '', '', 'Ann', 1700000000000, 'E-1'), (2, 'F-1', 'staff', 'Ann', NULL, 'E-1'),
                (3, 'F-1', 'staff', 'Ben', NULL, 'E-2'), (4, 'F-1', 'former', 'Cleo', NULL, 'E-3')
            """,
            // For each property that holds objects.
            """
            CREATE VIEW Firm_staff AS SELECT SUNDEED_FOREIGN_KEY, SUNDEED_OFFLINE_ID FROM Employee
            WHERE SUNDEED_FIELD_NAME_LINK = 'staff'
            """,
        ]
        try await withFile(tables) { old, db async throws in
            let own = old.query(Sundeed.Firm.self).where { $0.link == "" }
            let firm = try #require(try await own.first())
            #expect(firm.staff.map(\.firstName) == ["Ann", "Ben"])
            try await db.migrate(Firm.self)
            let report = try await db.importObjects(
                from: old,
                [
                    ObjectImport(Sundeed.Employee.self, as: Employee.self),
                    ObjectImport(
                        Sundeed.Firm.self, as: Firm.self, where: { $0.link == "" }, leavingOut: ["link"],
                        loading: ["skills"]
                    ) { old, values in values["skills"] = old.skills.map(\.value) },
                ])
            #expect(report.counts == ["Employee": 4, "Firm": 1])
            let moved = try #require(try await db.find(Firm.self, key: "F-1"))
            #expect(moved.title == "Acme" && moved.staff.map(\.id) == [2, 3])
            #expect(moved.skills == ["law", "art", "law"])
            let hired = try await db.find(Employee.self, key: 1)?.hiredAt
            #expect(hired == Date(timeIntervalSince1970: 1_700_000_000))
        }
    }
}
