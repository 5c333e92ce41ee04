extension ConformanceCase {
    /// Every case, in the order of a report.
    public static let all: [ConformanceCase] = [
        val1, val2, val3, val4, val5, val6, val7, val8, val9, val10, val10Columns,
        ord1, ord2, ord3, cmp1, cmp2, cmp2Dates, cmp2Choice, cmp2Functions, agg1, agg1Functions, agg1Windows, qry1,
        qry1FirstOfEach, qry2, qry2Relations, qry2Random, qry3, qry3Edits, qry3Text, qry3Indexes, qry4, sub1, tree1, set1,
        join1,
        opSave, opSaveDictionaries, opSaveWaiting, opSaveDifferential, opEqual, opEqualGraphs, opBatch, opKeys,
        opMadeKeys, opTime, opHooks, opUpdate, opUpsert, opUpsertChanges, opUpsertGraphs, opIgnore, opVersion, opImport,
        opFind,
        opQuery,
        opQueryChanges, opQueryReturning, opQueryLocks, opQueryRelated, opQueryPartial, opStream, opSql, opSqlWrites,
        opPool, opLog, opStats,
        json1, json2,
        txn1, txn2, txn2Nesting, txn2Isolation, txn2Repeating, txn2Deadlocks, txn3, txn4, txn5,
        err1, err2, err2Places, err2Names, err2Calls, err2Constraints,
        sch1, sch1NamedMigrations, sch1NewDatabases, sch3, sch4, sch4Columns, sch4Arrays, sch4Losses, sch5, sch6, sch7,
        sch8, sch8WholePlans, sch8Changes, sch9, sch10, sch11, sch12, sch13,
        rel1, rel1Objects, rel1LongArrays, rel2, rel2Choice, rel2Shared, rel3, rel3Verbs, rel3Concurrency, rel3Failure,
        rel3References, rel3Reach, rel3Inverse, rel3InverseFailure, rel3Families, rel3Differential, rel3LiveObjects,
        rel4,
        rel4Levels, rel4OnDemand, rel4Columns, rel4Identity, rel4Partial, rel4Missing, rel4Parts, rel5, rel6, rel7,
        rel8,
        rel9,
        exp1, exp2, exp3, exp4, exp5,
        live1, live1LastStates, live2, live3, live3Values, live4, live5,
        doc1, doc2, doc2Declared, doc3, doc4,
    ].flatMap(\.self)
}
