import Holdfast

@Table
final class Copy {
    var id: Int64?
    var shelf = ""
    var edition: Edition?
    @Relation(inverse: \Loan.copy) var loans: [Loan] = []

    init() {}
}
