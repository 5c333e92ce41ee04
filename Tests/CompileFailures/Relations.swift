// swift-format-ignore-file
import Holdfast

@Table final class Person {
    var id: Int64?
    var name = ""
}

@Table final class Task {
    var id: Int64?
    @Required var project: Project?
    weak var parent: Task?
}

@Table final class Project {
    var id: Int64?
    @Unique var lead: Person?
    var owner: Person
    @Relation(deleteRule: .cascade) var members: [Person] = []
    @Relation(inverse: \Task.project) var tasks: [Task] = []
    @Relation(loading: .onDemand) var related: [Project]?
    init(owner: Person) { self.owner = owner }
}

@Table struct Note {
    let id: Int64
    @Relation(deleteRule: .deny) var author: Person?
}

let rule = DeleteRule.cascade

@Table final class Wrong {
    var id: Int64?
    @Relation var a: Person?  // expected-error: '@Relation' changes nothing by itself
    @Relation(deleteRule: .cascade) var b: [String] = []  // expected-error: 'b' holds '[String]', not objects of another table: remove '@Relation'
    @Relation(deleteRule: rule) var c: Person?  // expected-error: the macro must see the rule: write '.nullify', '.cascade' or '.deny' here
    @Relation(inverse: \Task.project) @Unique var d: [Task] = []  // expected-error: 'd' has no column, since the objects at its other side hold the key: remove '@Unique'
    @Relation(loading: .onDemand) var e: Person  // expected-error: 'e' has no value while its object is not loaded: declare it as 'Person?'
    unowned var f: Person  // expected-error: the object of 'unowned var f' may be gone when it is saved
    init(e: Person) {
        self.e = e
        self.f = e
    }
}

@Table struct OnDemand {
    var id: Int64?
    @Relation(loading: .onDemand) var a: Person?  // expected-error: a struct can't remember what was not loaded
    weak var b: Person?  // expected-error: the object of 'weak var b' may be gone when it is saved
}

@Table final class Other {
    var id: Int64?
    var person: Person?
    @Relation(inverse: \Other.person) var tasks: [Task] = []  // expected-error: warning: 'tasks' holds objects of 'Task', and '\Other.person' is a property of 'Other': name a property of 'Task'
}

@Table final class Unknown {
    var id: Int64?
    // expected-error: value of type 'Task' has no member 'projekt'
    @Relation(inverse: \Task.projekt) var a: [Task] = []  // expected-error: value of type 'Task' has no member 'projekt'
}

@Table struct Node {
    var id: Int64?
    var parent: Node?  // expected-error: value type 'Node' cannot have a stored property that recursively contains it
}
