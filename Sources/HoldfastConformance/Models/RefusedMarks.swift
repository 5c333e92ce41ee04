import Foundation
import Holdfast

/// Types whose deletions would lose something, or could not be undone: opening a database with them throws.
enum RefusedMarks {
    /// A struct that would forget a binder which is marked.
    @Table("refused_forgetful")
    struct Forgetful {
        var id: Int64?
        var binder: Binder?
    }

    /// An owner whose time of deletion is stored in another way than that of what it owns.
    @Table("refused_crate")
    final class Crate {
        var id: Int64?
        @Relation(inverse: \Crated.crate, deleteRule: .cascade) var contents: [Crated] = []
        @Timestamp(.deleted) var deletedAt: Date?

        init() {}
    }

    @Table("refused_crated")
    final class Crated {
        var id: Int64?
        var crate: Crate?
        @Timestamp(.deleted) @Column(storage: .seconds) var deletedAt: Date?

        init() {}
    }

    /// An owner whose links are only marked.
    @Table("refused_patron")
    final class Patron {
        var id: Int64?
        @Relation(inverse: \Loan.patron, through: \Loan.volume) var volumes: [Volume] = []

        init() {}
    }

    @Table("refused_volume")
    final class Volume {
        var id: Int64?

        init() {}
    }

    @Table("refused_loan")
    final class Loan {
        var id: Int64?
        var patron: Patron
        var volume: Volume
        @Timestamp(.deleted) var deletedAt: Date?

        init(_ volume: Volume, to patron: Patron) { (self.volume, self.patron) = (volume, patron) }
    }
}
