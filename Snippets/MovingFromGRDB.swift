// The examples of the article "Moving from GRDB".

// snippet.player
import Foundation
import Holdfast

@Table("player", naming: .asDeclared)
struct Player: Equatable {
    var id: Int64?
    var name: String
    var score: Int
    @Column(storage: .text) var createdAt: Date
    var team: UUID?
}
// snippet.end
