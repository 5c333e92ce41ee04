import Foundation
import Holdfast

/// A number that only rises by one at a time, so that each old value in the log tells whether a change is missing.
@Table(log: .oldValues)
struct Counter: Equatable {
    var id: Int64
    var value: Int
}

/// Something that comes and goes.
@Table(log: true)
struct Item: Hashable {
    var id: UUID
    var shelf: Int
}
