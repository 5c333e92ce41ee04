// The examples of the article "Moving from SundeedQLite".

import Holdfast

// snippet.employee
@Table("Employee", naming: .asDeclared)
final class Employee {
    @PrimaryKey(.database) @Column("SUNDEED_OFFLINE_ID") var id: Int64?
    @Column("SUNDEED_UNIQUE_KEY") var key: String?
    @Column("SUNDEED_FIELD_NAME_LINK") var link = ""
    @Column("firstName") var firstName: String?
    @Column("hiredAt") var hiredAt: Double?
    init(key: String, _ name: String) { (self.key, firstName) = (key, name) }
}
// snippet.end

// snippet.firm
// CREATE VIEW Firm_staff AS SELECT SUNDEED_FOREIGN_KEY, SUNDEED_OFFLINE_ID FROM Employee
// WHERE SUNDEED_FIELD_NAME_LINK = 'staff'

@Table("Firm", naming: .asDeclared)
final class Firm {
    @PrimaryKey @Column("SUNDEED_UNIQUE_KEY") var key: String
    @Column("SUNDEED_FIELD_NAME_LINK") var link = ""
    @Column("title") var title: String?
    @Relation(
        joinTable: .named("Firm_staff", owner: "SUNDEED_FOREIGN_KEY", element: "SUNDEED_OFFLINE_ID", position: nil),
        foreignKey: false)
    var staff: [Employee] = []
    init(key: String) { self.key = key }
}
// snippet.end
