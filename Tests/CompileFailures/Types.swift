// swift-format-ignore-file
import Foundation
import Holdfast

// What a property can hold.

struct Opaque {}
struct Document: Codable { var text: String }
enum Status: String, Storable { case planned }

@Table struct Fine {
    var id: Int64?
    var status: Status = .planned
    var statuses: [Status] = []
    var document: Document?
    var documents: [Document] = []
    var optional: [Document]?
    var dictionary: [String: Int] = [:]
    @Transient var opaque = Opaque()
}

@Table struct OneError {
    var id: Int64?
    var opaque: Opaque  // expected-error: A property that is kept must be of a Storable or Codable type, an optional of one, or an array. Conform its type, or mark the property @Transient.
}

@Table final class OneErrorInClass {
    var id: Int64?
    let opaque: Opaque  // expected-error: A property that is kept must be of a Storable or Codable type
    init(opaque: Opaque) { self.opaque = opaque }
}

@Table struct OneErrorEach {
    var id: Int64?
    var optional: Opaque?  // expected-error: A property that is kept must be of a Storable or Codable type
    var array: [Opaque] = []  // expected-error: A property that is kept must be of a Storable or Codable type
    var dictionary: [Int: Opaque] = [:]  // expected-error: A property that is kept must be of a Storable or Codable type
}

enum Priority: String { case low }

@Table struct Enums {
    var id: Int64?
    var priority: Priority  // expected-error: An enum that is kept must be Storable: write `enum Priority: String, Storable`
    var optional: Priority?  // expected-error: An enum that is kept must be Storable: write `enum Priority: String, Storable`
    var array: [Priority] = []  // expected-error: An enum that is kept must be Storable: write `enum Priority: String, Storable`
}

@Table struct Visible {
    var id: Int64?
    var closure: () -> Void  // expected-error: a closure can't be stored in a column: mark 'closure' '@Transient', or give it another type
    var tuple: (Int, Int)  // expected-error: a tuple can't be stored in a column
    var existential: any Codable  // expected-error: a value of an unknown type can't be stored in a column
    var type: Int.Type  // expected-error: a type can't be stored in a column
}
