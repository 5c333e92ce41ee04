// The examples of the article "Moving from DBBBuilder".

import HoldfastSQLite

// snippet.people-and-companies
import Foundation
import Holdfast

@Table("Person", naming: .asDeclared)
final class Person {
    @PrimaryKey(.database) var id: Int64?
    var firstName: String?
    @Column(storage: .secondsSince2001) var dateOfBirth: Date?
    @Timestamp(.created) @Column(storage: .secondsSince2001) var createdTime: Date?
    @Timestamp(.modified) @Column(storage: .secondsSince2001) var modifiedTime: Date?
    @Relation(inverse: \PersonHobby.person) var hobbies: [PersonHobby] = []
    init(_ name: String) { firstName = name }
}

@Table("Company", naming: .asDeclared)
final class Company {
    @PrimaryKey(.database) var id: Int64?
    var name: String?
    @Relation(
        joinTable: .named("Company_employees", owner: "Company_ID", element: "employees", generatedKey: "id"),
        foreignKey: false)
    var employees: [Person] = []
    init(_ name: String) { self.name = name }
}
// snippet.end

// snippet.array-of-values
@Table("Person_hobbies", naming: .asDeclared)
final class PersonHobby {
    @PrimaryKey(.database) var id: Int64?
    @Column("Person_ID") @Relation(foreignKey: false) var person: Person?
    @Column("hobbies") var name: String
    init(_ name: String) { self.name = name }
}
// snippet.end

// snippet.new-models
@Table
final class Author {
    var id: Int64?
    var name: String
    var born: Date?
    var hobbies: [String] = []
    init(_ name: String) { self.name = name }
}

@Table
final class Publisher {
    var id: Int64?
    var name: String?
    var employees: [Author] = []
    init() {}
}
// snippet.end

func importFile() async throws {
    // snippet.importing
    let file = try await Database.open(.sqlite(path: "old.db"))
    let db = try await Database.open(.sqlite(path: "catalog.db"))
    try await db.migrate(Publisher.self)
    let report = try await db.importObjects(
        from: file,
        [
            ObjectImport(
                Person.self, as: Author.self, renaming: ["firstName": "name", "dateOfBirth": "born"],
                leavingOut: ["isActive", "createdTime", "modifiedTime"], loading: ["hobbies"]
            ) { person, values in
                values["hobbies"] = person.hobbies.map(\.name)
            },
            ObjectImport(Company.self, as: Publisher.self),
        ], missingTarget: .nil)
    print(report)  // Author: 340, Publisher: 12
    // snippet.end
}
