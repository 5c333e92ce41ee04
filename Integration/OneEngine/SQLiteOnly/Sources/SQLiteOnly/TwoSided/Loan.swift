import Holdfast

@Table
final class Loan {
    var id: Int64?
    var copy: Copy?
    var borrower: Borrower?

    init() {}
}
