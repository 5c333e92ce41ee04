// The examples of the article "Tutorial: a help desk".

// What the article imports later, where it needs it.
import HoldfastServiceLifecycle
import Logging
import ServiceLifecycle

// snippet.customer
import Foundation
import Holdfast

@Table
final class Customer {
    var id: Int64?  // the primary key, nil until saved
    var name: String
    @Unique var email: String
    @Relation(inverse: \Ticket.customer) var tickets: [Ticket] = []  // nothing is stored here: the tickets hold the key

    init(name: String, email: String) {
        self.name = name
        self.email = email
    }
}
// snippet.end

// snippet.ticket
enum Status: String, Storable { case open, waiting, closed }

@Table(indexes: [.index("status", .descending("openedAt"))])
final class Ticket {
    var id: Int64?
    var title: String
    var status = Status.open
    @Required var customer: Customer?  // "customer_id", NOT NULL: each ticket has one
    var labels: [String] = []  // a table of its own, in order
    @Relation(inverse: \Comment.ticket, deleteRule: .cascade) var comments: [Comment] = []
    @Timestamp(.created) var openedAt: Date?
    @Version var version = 0  // so that nobody overwrites what they have not seen
    // snippet.hide
    @Indexed var priority = 0
    // snippet.show

    init(_ title: String, of customer: Customer) {
        self.title = title
        self.customer = customer
    }
}

@Table
final class Comment {
    var id: Int64?
    var text: String
    @Required var ticket: Ticket?
    @Timestamp(.created) var writtenAt: Date?

    init(_ text: String, on ticket: Ticket) {
        self.text = text
        self.ticket = ticket
    }
}
// snippet.end

// snippet.mail
@Table(indexes: [.index("runAt", where: "sent_at IS NULL")])
final class Mail {
    var id: Int64?
    var recipient: String
    var text: String
    var runAt: Date  // when it is to be sent, or to be tried again
    var attempts = 0
    var sentAt: Date?
    var failure: String?

    init(to recipient: String, _ text: String, at runAt: Date = Date()) {
        self.recipient = recipient
        self.text = text
        self.runAt = runAt
    }
}
// snippet.end

// snippet.opening
import HoldfastPostgres
import HoldfastSQLite

func openHelpDesk() async throws -> Database {
    let url = ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "sqlite:helpdesk.db"
    return try await Database.open(url, drivers: [.sqlite, .postgres]) { configuration in
        configuration.timeouts.start = .seconds(60)  // a server that is still starting
        configuration.timeouts.statement = .seconds(10)
    }
}
// snippet.end

func migrateFirst(db: Database) async throws {
    // snippet.migrating
    let schema = Schema(Customer.self, Ticket.self, Comment.self, Mail.self, version: 1)
    print(try await db.schemaPlan(for: schema))  // what it would do
    try await db.migrate(schema)
    // snippet.end
}

func saveFirst(db: Database) async throws {
    // snippet.saving
    let ada = Customer(name: "Ada", email: "ada@example.org")
    let ticket = Ticket("The printer is on fire", of: ada)
    ticket.labels = ["printer", "urgent"]
    try await db.save(ticket)  // the ticket, what it refers to, and what it owns
    print(ticket.id ?? 0, ada.id ?? 0, ticket.openedAt ?? .distantPast)
    // snippet.end

    // snippet.changing
    ticket.status = .waiting
    try await db.save(ticket)
    try await db.save(ticket)  // nothing has changed since, so nothing is sent
    // snippet.end
}

// snippet.list
func list(_ status: Status, after token: String?, in db: Database) async throws -> Page<Ticket> {
    try await db.query(Ticket.self)
        .where { $0.status == status }
        .order { [$0.openedAt.descending] }
        .page(size: 20, after: token.flatMap { PageCursor(token: $0) })
}
// snippet.end

func printList(db: Database) async throws {
    // snippet.printing-the-list
    let page = try await list(.open, after: nil, in: db)
    for ticket in page.objects {
        print(ticket.title, ticket.customer?.name ?? "", ticket.labels)  // all of it is there: no more statements
    }
    print(page.nextLink(from: "/tickets?status=open") ?? "the last page")  // /tickets?status=open&after=…
    // snippet.end
}

func showTicket(db: Database, id: Int64) async throws {
    // snippet.page
    guard let ticket = try await db.find(Ticket.self, key: id, including: ["comments"]) else { return }
    for comment in try ticket.loaded(\.comments) { print(comment.text) }
    // snippet.end
}

// snippet.form
/// What a form sends: its fields, and the version of the ticket that its sender saw.
struct TicketForm {
    var title: String
    var status: Status
    var version: Int
}

enum FormAnswer {
    case saved
    case gone
    case problems([String: String])  // by field: show the form again
    case changed(Ticket)  // by somebody else, meanwhile: show both
}

func submit(_ form: TicketForm, for id: Int64, in db: Database) async throws -> FormAnswer {
    guard let ticket = try await db.find(Ticket.self, key: id) else { return .gone }
    guard form.version == ticket.version else { return .changed(ticket) }
    guard !form.title.isEmpty else { return .problems(["title": "A ticket needs a title."]) }
    ticket.title = form.title
    ticket.status = form.status
    do {
        try await db.save(ticket)
        return .saved
    } catch let error as DatabaseError where error.code == .staleVersion {
        // Between our reading and our saving. This instance keeps what the form set; fetch theirs.
        guard let theirs = try await db.find(Ticket.self, key: id) else { return .gone }
        return .changed(theirs)
    }
}
// snippet.end

// snippet.unique
func register(name: String, email: String, in db: Database) async throws -> FormAnswer {
    do {
        try await db.save(Customer(name: name, email: email))
        return .saved
    } catch let error as DatabaseError where error.code == .uniqueViolation {
        return .problems(Dictionary(uniqueKeysWithValues: error.properties.map { ($0, "Somebody has this already.") }))
    }
}
// snippet.end

// snippet.reply
func reply(_ text: String, to ticket: Ticket, in db: Database) async throws {
    try await db.transaction { tx in
        try await tx.save(Comment(text, on: ticket))
        if let customer = ticket.customer { try await tx.save(Mail(to: customer.email, text)) }
    }
}
// snippet.end

// snippet.claim
func nextMail(in db: Database) async throws -> Mail? {
    let now = Date()
    return try await db.query(Mail.self).where { $0.sentAt == nil && $0.runAt <= now }
        .order(\.runAt).limit(1).locked(.skipLocked)
        .updateReturning {
            $0.attempts += 1
            $0.runAt.set(now.addingTimeInterval(300))
        }
        .first
}
// snippet.end

// snippet.worker
func sendMail(from db: Database, by send: (Mail) async throws -> Void) async throws {
    while let mail = try await nextMail(in: db) {
        do {
            try await send(mail)
            mail.sentAt = Date()
        } catch {
            mail.failure = "\(error)"  // it is tried again when its five minutes are over
        }
        try await db.save(mail)
    }
}
// snippet.end

// snippet.second-version
enum HelpDesk {
    static var schema: Schema {
        Schema(
            Customer.self, Ticket.self, Comment.self, Mail.self,
            migrations: [
                Migration("2026-12-01 priorities", .afterTypes) { steps in
                    steps.sql("UPDATE ticket SET priority = 1 WHERE status = 'open'")
                }
            ],
            version: 2, acceptsProgramsFrom: 1)
    }
}
// snippet.end

func reviewSecondVersion(db: Database) async throws {
    // snippet.review
    let plan = try await db.schemaPlan(for: HelpDesk.schema)
    print(plan.report)
    for hazard in plan.hazards { print(hazard.severity, hazard.message) }
    // snippet.end
}

// On macOS, Swift Testing is there for test targets alone.
#if canImport(Testing)

// snippet.tests
import HoldfastTesting
import Testing

@Suite(.database(prepare: { db in try await db.migrate(HelpDesk.schema) }))
struct HelpDeskTests {
    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func aPageTakesThreeStatements(on engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let ada = Customer(name: "Ada", email: "ada@example.org")
        try await db.save((1...50).map { Ticket("Ticket \($0)", of: ada) })

        let statements = try TestDatabase.current.statements
        statements.clear()
        let page = try await list(.open, after: nil, in: db)
        #expect(page.objects.count == 20 && page.next != nil)
        #expect(statements.count(.select) == 3)
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func twoFormsDoNotOverwriteEachOther(on engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let ticket = Ticket("Slow", of: Customer(name: "Ada", email: "ada@example.org"))
        try await db.save(ticket)
        let (id, version) = (try #require(ticket.id), ticket.version)

        let first = try await submit(TicketForm(title: "Fast", status: .closed, version: version), for: id, in: db)
        let second = try await submit(TicketForm(title: "Slower", status: .open, version: version), for: id, in: db)
        guard case .saved = first, case .changed(let theirs) = second else {
            Issue.record("The second form was saved, or the first one was not.")
            return
        }
        #expect(theirs.title == "Fast")
    }
}
// snippet.end
#endif

func openWithTelemetry(logger: Logger) async throws {
    // snippet.telemetry
    let configuration = DatabaseConfiguration.postgres(url: "postgres://app@db.example.org/helpdesk").with {
        $0.telemetry.logger = logger
        $0.telemetry.slowStatementThreshold = .milliseconds(200)
        $0.telemetry.statementStatisticsLimit = 100
    }
    let db = try await Database.open(configuration)
    print(db.statementStatistics)  // later, at a signal or at an address for operators
    // snippet.end
}

// snippet.service
func serve(_ server: any Service, logger: Logger) async throws {
    let db = try await openHelpDesk()
    try await db.migrate(HelpDesk.schema)
    // The last is stopped first, so the database closes when nobody needs it any more.
    let group = ServiceGroup(services: [db, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
}
// snippet.end

func answerProbes(db: Database) async {
    // snippet.probes
    let isReady = await db.isReady()  // for the load balancer: 200 or 503
    let waiting = db.poolStatistics.waiting  // sends nothing: operations that wait for a connection
    // snippet.end
    print(isReady, waiting)
}

func limit(_ configuration: DatabaseConfiguration) {
    // snippet.limits
    let limited = configuration.with {
        $0.pool.maximumConnections = 16  // of each instance
        $0.pool.checkoutTimeout = .seconds(5)  // nobody who waits for a page waits longer
        $0.timeouts.statement = .seconds(10)
        $0.timeouts.lock = .seconds(5)
        $0.timeouts.shutdown = .seconds(20)  // for what is under way when the program is stopped
    }
    // snippet.end
    _ = limited
}
