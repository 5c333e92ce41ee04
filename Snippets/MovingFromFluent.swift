// The examples of the article "Moving from Fluent".

// snippet.stars-and-planets
import Foundation
import Holdfast

@Table("stars")
final class Star {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var name: String
    @Relation(inverse: \Planet.star) var planets: [Planet] = []
    init(id: UUID = UUID(), name: String) { (self.id, self.name) = (id, name) }
}

@Table("planets")
final class Planet {
    @PrimaryKey @Column(storage: .uppercaseText) let id: UUID
    var name: String
    @Column("star_id") var star: Star?
    @Timestamp(.created) @Column(storage: .secondsSince1970) var createdAt: Date?
    init(id: UUID = UUID(), name: String, star: Star?) { (self.id, self.name, self.star) = (id, name, star) }
}
// snippet.end
