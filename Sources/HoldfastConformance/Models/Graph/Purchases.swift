import Foundation
import Holdfast

/// An object with a key of the caller's, and relations of every kind to others with such keys.
@Table
final class Purchase {
    @PrimaryKey var number: String
    var note: String?
    @Timestamp(.created) var createdAt: Date?
    @Timestamp(.modified) var modifiedAt: Date?
    var tags: [String] = []
    var buyer: Buyer?
    var payer: Buyer?
    var wares: [Ware] = []
    @Relation(inverse: \Parcel.purchase, loading: .eager) var parcels: [Parcel] = []
    var previous: Purchase?

    init(_ number: String, note: String? = nil) {
        self.number = number
        self.note = note
    }
}

/// Somebody that several purchases refer to.
@Table
final class Buyer {
    @PrimaryKey var email: String
    var name: String

    init(_ email: String, _ name: String) {
        self.email = email
        self.name = name
    }
}

/// Something in an array.
@Table
final class Ware {
    @PrimaryKey var code: String
    var price: Int

    init(_ code: String, _ price: Int = 1) {
        self.code = code
        self.price = price
    }
}

/// Something that holds the key of its owner, which it may lack.
@Table
final class Parcel {
    @PrimaryKey var code: String
    var purchase: Purchase?

    init(_ code: String) { self.code = code }
}

/// An owner of objects that can't be without one.
@Table
final class Album {
    @PrimaryKey var name: String
    @Relation(inverse: \Song.album, loading: .eager) var songs: [Song] = []

    init(_ name: String, _ songs: [Song]) {
        self.name = name
        self.songs = songs
    }
}

/// An object that can't be without its owner.
@Table
final class Song {
    @PrimaryKey var name: String
    @Required var album: Album?

    init(_ name: String) { self.name = name }
}
