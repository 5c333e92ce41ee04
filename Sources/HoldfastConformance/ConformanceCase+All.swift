extension ConformanceCase {
    /// Every case, in the order of a report.
    public static let all: [ConformanceCase] = [
        types, numbers, dates, text, storages, ordering, arrayContents, arrayChanges,
        saving, dictionaries, structs, batches, thousands, keys, dateKeys, timestamps, hooks,
        concurrency, waiting, closing, logging, finds, sql,
        transactions, nesting, isolation, repeating, cancellation, checkout,
        codes, connections, redaction, migration, namedMigrations, evolution, columns, movedValues, plans, names,
        inspection,
        maintenance,
        drift, adoption, otherSchemas, readingOnly, databaseKeys,
        graphSaving,
        graphVerbs, graphFailure, graphConcurrency, graphHooks, graphArrays, graphLongArrays, graphReferences,
        graphLazyReferences, graphLoading, graphLevels, graphPartial, graphMissing, graphOmitted, graphDeleting,
        graphDeletingBySQL, graphChoosing, graphReplacing, graphMoving, graphSize,
        graphInverses,
        graphJoinTables, graphSharedColumns, graphUniqueReferences,
        graphInverseFailure, graphFamilies, graphHierarchies, queryValues, queryRelations, queryShape, queryAggregates,
        queryChanges, querySelected, queryStreams, queryPartial, onlySome, upserts, ignoring, importing, versions,
        queryCorners,
        queryRandom,
        queryShorthands, queryFragments, queryJSON, queryOthersTables, live, lastStates, objectEvents, commitGuards,
        changeLog,
        notifications, documents, documentConditions, documentReferences,
        differential,
        differentialObjects,
    ].flatMap(\.self)
}
