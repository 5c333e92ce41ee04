import Foundation
import Holdfast

/// Keys of several types that the database makes.
enum Made {
    @Table("made_uuid")
    final class ByUUID {
        @PrimaryKey(.database) var id: UUID?
        var name: String
        var parent: ByUUID?
        var words: [String] = []
        init(_ name: String) { self.name = name }
    }

    @Table("made_flat")
    final class Flat {
        @PrimaryKey(.database) var id: UUID?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("made_int")
    final class ByInt {
        @PrimaryKey(.database) var number: Int?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("made_int32")
    struct ByInt32: Equatable {
        @PrimaryKey(.database) var id: Int32?
        var name: String
    }

    @Table("made_int16")
    struct ByInt16: Equatable {
        @PrimaryKey(.database) var id: Int16?
        var name: String
    }

    @Table("made_text")
    final class ByText {
        @PrimaryKey(.database) var id: String?
        var name: String
        init(_ name: String) { self.name = name }
    }
}
