extension SchemaPlan {
    /// Refuses what would break programs that the schema says it accepts.
    ///
    /// What is dropped is dropped by name, and no accepted program is believed to use it.
    ///
    /// - Parameters:
    ///   - versions: From the earliest version that the schema accepts to its own.
    ///   - found: The version of the database, which is that of the previous program.
    /// - Throws: ``DatabaseError/Code/conflict``.
    func checkAcceptance(_ versions: ClosedRange<Int>?, _ found: Int?) throws {
        guard let versions, let found, found < versions.upperBound, versions.contains(found) else { return }
        let hazard = hazards.first { hazard in
            switch hazard.step?.action {
            case .dropColumn, .dropTable: false
            case .runMigration: hazard.severity == .breaks && hazard.step?.consequences.contains(where: \.drops) != true
            default: hazard.severity == .breaks
            }
        }
        guard let hazard else { return }
        throw DatabaseError(
            .conflict,
            "The schema accepts programs from version \(versions.lowerBound) on, and breaks that of version \(found). "
                + "\(hazard.message) Add instead of renaming, give new columns a default or let them be optional, or "
                + "raise `acceptsProgramsFrom`. Nothing was changed.",
            table: hazard.table)
    }

    /// Whether columns are altered or dropped, to which views may be in the way.
    var altersColumns: Bool {
        steps.contains { step in
            switch step.action {
            case .alterColumn, .dropColumn, .wrapColumn, .unwrapArray, .dropTable: true
            default: false
            }
        }
    }
}
