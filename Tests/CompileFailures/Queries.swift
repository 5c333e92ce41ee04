// What a query can't ask is said where it is written.

import Foundation
import Holdfast

enum Rank: String, Storable { case low, high }

@Table
final class Citizen {
    var id: Int64?
    var name: String
    var age = 0
    @Transient var draft = ""
    var friend: Citizen?
    var tags: [String] = []
    var rank = Rank.low
    var former: Rank?
    var born = Date.now
    var died: Date?
    var height = 1.7

    init(name: String) { self.name = name }
}

func ask(_ query: Query<Citizen>) {
    _ = query.where { $0.age == "x" }  // expected-error: A property is compared with a value of its own type
    _ = query.where { $0.name > 3 }  // expected-error: A property is compared with a value of its own type
    _ = query.where { $0.born < $0.died }  // expected-error: write `.optional` after the other
    _ = query.where { $0.rank >= "high" }  // expected-error: An enum is compared with one of its cases
    _ = query.where { $0.former != "high" }  // expected-error: An enum is compared with one of its cases
    _ = query.where { $0.died - 3600 > 0 }  // expected-error: From a date in a query, only another one is subtracted
    _ = query.where { Date.now - $0.born > 3600 }  // expected-error: For the seconds from a date in a query
    _ = query.where { $0.born + 3600 > Date.now }  // expected-error: To add a time to a date in a query
    _ = query.where { $0.age * $0.height > 3 }  // expected-error: warning: '*' is deprecated: Numbers of two types
    _ = query.where { $0.friend == 3 }  // expected-error: A relation is compared with an object of its type
    _ = query.where { $0.tags == ["x"] }  // expected-error: An array is only compared with nil
    _ = query.where { .sql("age = 3") }  // expected-error: expects 1 argument, which cannot be implicitly ignored
    _ = query.where { $0.nothing == 3 }  // expected-error: has no dynamic member
    _ = query.where { $0.age }  // expected-error: be equivalent
    _ = query.where { $0.age.hasPrefix("x") }  // expected-error: TextValue
    _ = query.group { $0.tags }  // expected-error: An array is no value to group by
    _ = query.group { _ in }  // expected-error: could not be inferred
    _ = query.distinct { _ in }  // expected-error: could not be inferred
}

// In the midst of ten conditions, too. Without a sentence of its own, the first took ten seconds.
func askMuch(_ query: Query<Citizen>, since: Date) {
    _ = query.where {
        $0.name != "" && $0.age > 3 && $0.friend != nil && $0.born > since && $0.friend.name == "Ann"
            && $0.tags.contains("x")
            && $0.rank >= "high"  // expected-error: An enum is compared with one of its cases
            && $0.id > 3 && ($0.died == nil || $0.died < since) && $0.name.hasPrefix("A")
    }
    _ = query.where {
        $0.name != "" && $0.age > 3 && $0.friend != nil && $0.born > since && $0.friend.name == "Ann"
            && $0.tags.contains("x")
            && $0.died - since > 3600  // expected-error: From a date in a query, only another one is subtracted
            && $0.id > 3 && ($0.died == nil || $0.died < since) && $0.name.hasPrefix("A")
    }
    _ = query.where {
        $0.name != "" && $0.age > 3 && $0.friend != nil && $0.born > since && $0.friend.name == "Ann"
            && $0.tags.contains("x")
            && $0.rang == .high  // expected-error: has no dynamic member 'rang'
            && $0.id > 3 && ($0.died == nil || $0.died < since) && $0.name.hasPrefix("A")
    }
}
