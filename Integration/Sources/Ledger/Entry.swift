import Holdfast

/// A line of the ledger, under the name of the operation that wrote it.
@Table("ledger_entry")
final class Entry {
    var id: String
    var amount: Int
    /// The account that the amount was taken from, for a transfer.
    var source: String?
    /// The account that the amount was given to, for a transfer.
    var target: String?

    init(id: String, amount: Int) {
        self.id = id
        self.amount = amount
    }
}
