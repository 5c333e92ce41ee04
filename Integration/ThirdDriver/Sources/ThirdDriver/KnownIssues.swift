import HoldfastConformance

/// What this driver does not do, which leaves out functions of its own and cursors.
let knownIssues: [ConformanceManifest.KnownIssue] = [
    .init("cmp-1.texts", "LIKE of SQLite does not tell upper from lower case."),
    .init("cmp-2.computed", "Decimals are texts to SQLite's operators."),
    .init("cmp-2.overflow", "SQLite's operators go on with a real number where an integer overflows."),
    .init("cmp-2.date-differences", "SQLite subtracts no dates: it would take functions."),
    .init("cmp-2.date-averages", "SQLite subtracts no dates: it would take functions."),
    .init("cmp-2.date-clock", "SQLite subtracts no dates: it would take functions."),
    .init("cmp-2.date-parts", "SQLite has no time zones: it would take functions."),
    .init("cmp-2.date-groups", "SQLite has no time zones: it would take functions."),
    .init("cmp-2.number-functions", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("cmp-2.text-functions", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("cmp-2.text-integers", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("cmp-2.functions-as-text", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("cmp-2.rounding", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("cmp-2.functions-elsewhere", "SQLite lacks some of the functions, and has others for doubles alone."),
    .init("op-query.update", "SQLite's operators go on with a real number where an integer overflows."),
    .init("op-stream.errors", "SQLite's operators go on with a real number where an integer overflows."),
    .init("agg-1.deviation", "SQLite has no standard deviation."),
    .init("agg-1.joined", "SQLite joins texts in no order."),
    .init("agg-1.window-sums", "SQLite's average of decimals is a real number."),
    .init("agg-1.wide", "SQLite's sum fails where it overflows on the way."),
    .init("op-stream.endless", "All rows are copied when a stream begins."),
    .init("op-stream.schema", "The columns are those of the statement before SQLite has looked at the schema again."),
    .init("sch-3.unusual-names", "A dot in a name is taken for the one between table and column."),
    .init("val-10.date-texts", "What a text stands for is told by no function of SQLite that would refuse all others."),
    .init(
        "val-10.integers", "What a number stands for is told by no function of SQLite that would refuse all others."),
    .init(
        "val-10.integers-of-own",
        "Elements that are numbers are told by no function of SQLite that would refuse others."),
    .init("val-10.made", "What a text stands for is told by no function of SQLite that would refuse all others."),
    .init("val-10.words", "What a text stands for is told by no function of SQLite that would refuse all others."),
    .init("val-8.others-numerics", "Columns of other programs' tables are compared as SQLite compares them."),
]
