import EngineProvisions
import Foundation
import HoldfastConformance
import Testing

/// The suite has to notice what a driver gets wrong: one fault at a time, in a driver that gets everything else right.
@Suite struct BrokenDriverTests {
    /// The cases that have to notice each fault, among others that may.
    static let noticing: [Fault: [String]] = [
        .keepsWhatIsRolledBack: [
            "rel-3.failure-at-each-statement", "rel-3.obstacle-in-each-table", "rel-2.rollback", "txn-2.rollback",
            "txn-1.swallowed-error", "txn-3.cancelled-transaction", "op-hooks.failure",
        ],
        .keepsWhatASavepointUndoes: ["txn-2.nested", "txn-1.savepoint-recovers", "txn-2.outer-handle-inside"],
        .losesWhatIsCommitted: ["op-batch.mixed", "txn-2.nested", "rel-1.order-and-duplicates"],
        .losesTheLastRow: [
            "ord-3.by-primary-key", "val-1.scalars", "op-keys.fetch", "rel-1.order-and-duplicates", "rel-4.identity",
        ],
        .readsNullAsZero: [
            "val-1.optional-scalars", "val-7.nil-by-save", "val-8.null-into-non-optional", "rel-1.nil-elements",
        ],
        .roundsToMilliseconds: ["val-3.rounds-to-microseconds", "val-3.microseconds-are-kept", "val-3.far-dates"],
        .normalizesText: ["val-1.text-keeps-its-bytes", "ord-1.canonical-equivalents-are-two-keys"],
        .reversesArrays: [
            "rel-1.object-edits", "rel-1.order-and-duplicates", "val-1.arrays", "rel-1.gaps-in-positions",
        ],
        .countsOneRowAlways: ["op-save.row-is-gone", "rel-1.deletion", "op-sql.writes"],
        .tellsNoUniqueViolation: ["op-save.key-exists", "err-1.constraints", "op-batch.failure"],
        .tellsNoProperties: ["err-1.constraints", "op-batch.failure"],
        .quotesValuesInErrors: ["err-2.no-values"],
        .ignoresTimeouts: ["err-1.statement-timeout"],
        .ignoresCancellation: ["txn-3.cancelled-before", "txn-3.inside-the-closure", "txn-3.cancelled-statement"],
        .ignoresForeignKeys: [
            "rel-1.foreign-key", "rel-1.deletion", "err-1.constraints", "rel-2.lets-go", "rel-2.required",
            "rel-4.lazy-missing", "rel-2.sql-lets-go",
        ],
        .writesWhereItReads: ["txn-2.read-only"],
        .claimsTooMuch: ["err-1.connection-lost", "err-1.lost-while-running"],
        .claimsTooLittle: ["txn-2.isolation-serializable"],
        .losesTheLastJoinedRow: [
            "rel-1.object-edits", "rel-3.everything-reachable", "rel-3.meetings-with-participants",
            "rel-3.differential-0",
        ],
        .mixesUpGeneratedKeys: ["rel-1.object-edits", "rel-3.employers-and-siblings", "rel-3.differential-0"],
        .dropsTheLastParameterRow: ["rel-1.object-edits", "rel-1.random-edits", "rel-3.batch", "rel-3.differential-0"],
        .swapsTwoLinks: [
            "rel-1.object-edits", "rel-1.composite-keys", "rel-1.random-edits", "rel-3.meetings-with-participants",
        ],
        .ignoresDeleteRules: ["rel-2.lets-go", "rel-2.sql-lets-go", "rel-1.unlinked-by-sql", "rel-3.differential-0"],
        .ignoresTriggers: ["rel-2.sql-cascade", "rel-2.many"],
        .readsBesideItsSnapshot: ["rel-4.one-snapshot"],
        .endsCursorsEarly: ["op-stream.portions", "op-stream.snapshot", "op-stream.transaction"],
        .showsWritesToCursors: ["op-stream.transaction"],
        .dropsLoggedChanges: ["live-3.rows", "live-3.resume", "live-3.random"],
        .repeatsLoggedChanges: ["live-3.resume", "live-3.random"],
        .reordersLoggedChanges: ["live-3.rows", "live-3.random"],
        .dropsNotifications: ["live-5.delivered", "live-5.wakes"],
        .repeatsNotifications: ["live-5.delivered"],
        .reordersNotifications: ["live-5.delivered"],
    ]

    @Test(arguments: Fault.allCases)
    func `a broken driver fails the cases that are about what it breaks`(_ fault: Fault) async throws {
        let base = fault.concernsNotifications ? Engines.postgres : Engines.sqlite
        guard let base else { return }
        let isEndless = fault == .ignoresTimeouts || fault == .ignoresCancellation || fault.concernsNotifications
        let runner = ConformanceRunner(
            BrokenProvision(base: base.provision, fault: fault),
            manifest: fault.concernsNotifications ? .postgres : .sqlite,
            concurrency: 2,
            timeLimit: .seconds(isEndless ? 8 : 60),
            seed: 1
        )
        let ids = try #require(Self.noticing[fault])
        for id in ids {
            let behaviour = try #require(ConformanceCase.all.first { $0.id == id }, "There is no case \(id).")
            let result = await runner.run(behaviour)
            #expect(!result.outcome.isAcceptable, "\(id) does not notice: \(result.outcome)")
        }
    }

    @Test func `a wrapped driver without a fault that matters passes them`() async throws {
        // The fault is one that these cases can't notice, so the wrapping itself is what is tested.
        let runner = ConformanceRunner(
            BrokenProvision(base: Engines.sqlite.provision, fault: .claimsTooLittle),
            manifest: .sqlite,
            seed: 1
        )
        let noticing = Self.noticing.filter {
            $0.key != .claimsTooMuch && $0.key != .claimsTooLittle && !$0.key.concernsNotifications
        }
        let ids = Set(noticing.values.joined())
        let report = await runner.run(ConformanceCase.all.filter { ids.contains($0.id) })
        #expect(report.results.count == ids.count)
        #expect(report.isAcceptable, "\(report)")
    }
}
