// What a query can't ask is said where it is written.

import Holdfast

@Table
final class Citizen {
    var id: Int64?
    var name: String
    var age = 0
    @Transient var draft = ""
    var friend: Citizen?
    var tags: [String] = []

    init(name: String) { self.name = name }
}

func ask(_ query: Query<Citizen>) {
    _ = query.where { $0.age == "x" }  // expected-error: cannot be applied to operands of type
    _ = query.where { $0.name > 3 }  // expected-error: cannot be applied to operands of type
    _ = query.where { $0.nothing == 3 }  // expected-error: has no dynamic member
    _ = query.where { $0.age }  // expected-error: be equivalent
    _ = query.where { $0.age.hasPrefix("x") }  // expected-error: TextValue
    _ = query.group { $0.friend }  // expected-error: A relation is no value: group by properties of its target
    _ = query.group(by: \.friend)  // expected-error: A relation is no value: group by properties of its target
    // expected-error: could not be inferred
    // expected-error: cannot convert value of type
    _ = query.group { $0.tags }
    // expected-error: could not be inferred
    // expected-error: cannot convert value of type
    _ = query.group { _ in }
    _ = query.distinct { _ in }  // expected-error: could not be inferred
}
