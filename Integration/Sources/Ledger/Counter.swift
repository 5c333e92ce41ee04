import Holdfast

/// A number that operations change: an account's balance, a tally, or the mark of a worker.
@Table("ledger_counter")
final class Counter {
    var id: String
    var value: Int

    init(id: String, value: Int = 0) {
        self.id = id
        self.value = value
    }
}
