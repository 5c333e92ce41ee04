import Holdfast

@Table
final class Borrower {
    var id: Int64?
    var name: String
    @Relation(inverse: \Loan.borrower, loading: .eager) var loans: [Loan] = []
    var mentor: Borrower?
    @Relation(inverse: \Borrower.mentor, loading: .eager) var pupils: [Borrower] = []

    init(name: String) { self.name = name }
}
