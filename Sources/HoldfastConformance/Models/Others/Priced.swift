import Foundation
import Holdfast

/// A row of a table that another program has made, with columns that `migrate` would not.
@Table("priced")
struct Priced: Equatable {
    @PrimaryKey var code: String
    var price: Decimal
}
