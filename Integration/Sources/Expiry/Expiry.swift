import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Objects of which half expire while others read and write, and processes that sweep them.
///
/// Run by Integration/expiry.
@main struct Expiry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expiry", abstract: "Let objects expire.",
        subcommands: [Fill.self, Trial.self, Sweep.self, Check.self])

    struct Options: ParsableArguments {
        @Argument(help: "The database.") var url: String
        @Option(help: "The number of objects, of which every other one expires.") var rows: Int64 = 100_000
        @Option(help: "The seconds in which they expire; 0 for those that have expired already.") var seconds = 10.0

        func open(sweepingEvery interval: Duration? = nil) async throws -> Database {
            try await Database.open(url, drivers: [.sqlite, .postgres]) { $0.expiry.sweepInterval = interval }
        }

        func rowCount(_ db: Database) async throws -> Int {
            try await db.sql("SELECT count(*) FROM ticket").first(as: Int.self) ?? 0
        }
    }
}

/// A flat object that may expire; one of a shelf above 0 is written by the trial.
@Table
final class Ticket {
    @PrimaryKey let number: Int64
    @Indexed var shelf: Int64
    var tags: [String] = []
    @Expires var until: Date?

    init(_ number: Int64, shelf: Int64, until: Date?) { (self.number, self.shelf, self.until) = (number, shelf, until) }
}

/// Makes the table, and the objects.
struct Fill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make the objects.")

    @OptionGroup var options: Expiry.Options

    func run() async throws {
        let db = try await options.open()
        try await db.migrate(Ticket.self)
        try await db.sql("DELETE FROM ticket").execute()
        let start = Date().addingTimeInterval(options.seconds == 0 ? -10 : 1)
        let tickets = (0..<options.rows).map { number in
            let share = Double(number) / Double(max(options.rows, 1))
            return Ticket(
                number, shelf: 0,
                until: number.isMultiple(of: 2) ? start.addingTimeInterval(options.seconds * share) : nil)
        }
        for first in stride(from: 0, to: tickets.count, by: 10_000) {
            let portion = Array(tickets[first..<min(first + 10_000, tickets.count)])
            for ticket in portion where ticket.number.isMultiple(of: 100) { ticket.tags = ["a", "b"] }
            try await db.insert(portion)
        }
        try await db.close()
    }
}

/// Reads and writes while objects expire, and two databases sweep.
struct Trial: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Read and write while objects expire.")

    @OptionGroup var options: Expiry.Options

    func run() async throws {
        let databases = [
            try await options.open(sweepingEvery: .seconds(1)), try await options.open(sweepingEvery: .seconds(1)),
        ]
        let db = databases[0]
        for database in databases { try await database.migrate(Ticket.self) }
        let all = try await db.query(Ticket.self).where { $0.shelf == 0 }.depth(0).fetch().map(\.until)
        let dates = all.compactMap(\.self).sorted()
        let lasting = all.count - dates.count
        let end = dates.last ?? Date()
        /// The engine's clock is in milliseconds at worst.
        let tolerance = 0.002
        func left(after date: Date) -> Int { lasting + dates.count { $0 > date } }
        let (reads, writes) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for index in 0..<3 {
                group.addTask {
                    var count = 0
                    while Date() < end.addingTimeInterval(1) {
                        let before = Date()
                        if index == 0 {
                            let found = try await databases[1].query(Ticket.self).where { $0.shelf == 0 }.count()
                            let (most, least) = (
                                left(after: before.addingTimeInterval(-tolerance)), left(after: Date())
                            )
                            guard (least...most).contains(found) else {
                                throw ValidationError("\(found) tickets were counted, not \(least) to \(most).")
                            }
                        } else {
                            let first = Int64.random(in: 0..<options.rows)
                            let found = try await databases[index % 2].query(Ticket.self)
                                .where { $0.number >= first }.limit(50).fetch()
                            for ticket in found {
                                guard let until = ticket.until, until <= before.addingTimeInterval(-tolerance) else {
                                    continue
                                }
                                throw ValidationError("A ticket was read after it had expired.")
                            }
                        }
                        count += 1
                    }
                    return (count, 0)
                }
            }
            for index in 0..<2 {
                group.addTask {
                    var count = 0
                    var mine: [Ticket] = []
                    while Date() < end.addingTimeInterval(1) {
                        // Some that expire at once, some that are prolonged, and keys that come again.
                        let number = options.rows + Int64(index) * 1_000_000 + Int64.random(in: 0..<500)
                        let ticket = Ticket(
                            number, shelf: Int64(index + 1),
                            until: Date().addingTimeInterval(.random(in: -0.1...0.5)))
                        ticket.tags = ["x"]
                        do { try await databases[index].insert(ticket) } catch let error as DatabaseError
                            where error.code == .uniqueViolation
                        { continue }
                        mine.append(ticket)
                        if let other = mine.randomElement() {
                            other.until = Date().addingTimeInterval(0.5)
                            do { try await databases[index].save(other) } catch let error as DatabaseError
                                where error.code == .notFound
                            { mine.removeAll { $0 === other } }
                        }
                        count += 2
                    }
                    return (0, count)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        for _ in 0..<200 where try await options.rowCount(db) > lasting {
            try await Task.sleep(for: .milliseconds(100))
        }
        let rows = try await options.rowCount(db)
        guard rows == lasting else { throw ValidationError("\(rows) rows are left, not \(lasting).") }
        for database in databases { try await database.close() }
        print("\(dates.count) of \(all.count) expired, during \(reads) reads and \(writes) writes")
    }
}

/// Sweeps once, and says what it took.
struct Sweep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sweep.")

    @OptionGroup var options: Expiry.Options

    func run() async throws {
        let db = try await options.open()
        print("sweeping")
        let (start, used) = (ContinuousClock.now, processTime())
        let count = try await db.sweepExpired(Ticket.self)
        let (elapsed, cpu) = (ContinuousClock.now - start, processTime() - used)
        print("\(count) rows were swept in \(elapsed), with \((cpu * 1_000).rounded()) ms of this process's CPU time")
        try await db.close()
    }

    private func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Looks whether all that expired is gone, and nothing else.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Compare what is left.")

    @OptionGroup var options: Expiry.Options

    func run() async throws {
        let db = try await options.open()
        let rows = try await options.rowCount(db)
        let orphans = try await db.sql(
            "SELECT count(*) FROM ticket_tags WHERE ticket_number NOT IN (SELECT number FROM ticket)"
        ).first(as: Int.self)
        try await db.close()
        guard rows == options.rows / 2, orphans == 0 else {
            throw ValidationError("\(rows) rows are left, and \(orphans ?? -1) elements without their object.")
        }
        print("\(rows) rows are left, as many as do not expire")
    }
}
