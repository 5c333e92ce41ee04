// swift-format-ignore-file
import Holdfast

@Table("fine", naming: .snakeCase, indexes: [.index("firstName", "code"), .unique("code")])
struct Fine {
    var id: Int64?
    var firstName = ""
    var code = ""
}

let name = "n"
let index = TableIndex.index("id")

@Table("") struct EmptyName { var id: Int64? }  // expected-error: the name of a table can't be empty
@Table(name) struct VariableName { var id: Int64? }  // expected-error: the name of a table must be a string literal

// expected-error: 'Misspelt' has no property 'firstNmae': did you mean 'firstName'?
// expected-error: 'code' is in this index already: remove it
@Table(indexes: [.index("firstNmae"), .unique("code", "code")])
struct Misspelt {
    var id: Int64?
    var firstName = ""
    var code = ""
}

@Table(indexes: [index]) struct VariableIndex { var id: Int64? }  // expected-error: the macro must see each index
@Table(indexes: [.index()]) struct EmptyIndex { var id: Int64? }  // expected-error: an index covers at least one property

@Table struct SameColumns {
    var id: Int64?
    var firstName = ""
    var first_name = ""  // expected-error: 'first_name' and 'firstName' would share the column 'first_name'
    @Column("ID") var other = ""  // expected-error: 'other' and 'id' would share the column 'ID'
}
