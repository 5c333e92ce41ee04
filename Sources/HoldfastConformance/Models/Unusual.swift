import Holdfast

/// Reserved words of SQL as the names of a table and of its columns.
@Table("select")
final class Reserved {
    var id: Int64?
    var order = 1
    var group = "g"
    var table: Int?
    var `where` = true
    var user = "u"
    var `default` = "d"
    var from: [String] = []
    @Unique var references: String?
    @Indexed var `as`: Int?
}

/// Names longer than PostgreSQL keeps, which differ only at their ends, in a table, columns and an array.
@Table("a_table_with_a_name_that_is_longer_than_the_sixty_three_bytes_that_one_engine_keeps_of_it")
struct LongNamed: Equatable {
    let id: Int64
    @Indexed var aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: Int
    @Unique var aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo: Int
    var anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: [Int]
    var anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo: [String]?
}

/// The owner has to be set by the time it is saved.
@Table
final class Owned {
    var id: Int64?
    @Required var owner: String?
    var isActive = true
}

/// Names that need quoting, escaping or another alphabet.
@Table("naïve \"table\" of 50%; --")
struct UnusuallyNamed: Equatable {
    let id: Int64
    @Column("a \"quoted\" name") var quoted: Int
    @Unique @Column("dotted.name, with 'comma'") var dotted: String
    var 名前: [String] = []
}
