import Holdfast

/// An object that holds others of its type, and objects without relations.
@Table
final class Wall {
    var id: Int64?
    var neighbours: [Wall] = []
    var stickers: [Sticker] = []
    var words: [String] = []

    init(_ stickers: [Sticker]) { self.stickers = stickers }
}

/// Something that leads nowhere, with a value that a row can lack.
@Table
final class Sticker {
    var id: Int64?
    var mood: Mood

    init(_ mood: Mood) { self.mood = mood }
}
