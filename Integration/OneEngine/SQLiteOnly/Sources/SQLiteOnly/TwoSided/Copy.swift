import Holdfast

@Table
final class Copy {
    var id: Int64?
    var shelf = ""
    var edition: Edition?
    @Relation(inverse: \Loan.copy, loading: .eager) var loans: [Loan] = []

    init() {}
}
