import Holdfast

@Table
final class Borrower {
    var id: Int64?
    var name: String
    @Relation(inverse: \Loan.borrower) var loans: [Loan] = []
    var mentor: Borrower?
    @Relation(inverse: \Borrower.mentor) var pupils: [Borrower] = []

    init(name: String) { self.name = name }
}
