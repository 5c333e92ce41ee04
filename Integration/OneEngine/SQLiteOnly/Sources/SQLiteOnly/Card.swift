import Holdfast

@Table
struct Card: Equatable, Sendable {
    @PrimaryKey let reader: String
    var name: String
    var isBlocked = false
}
