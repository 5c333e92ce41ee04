import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One user of the service, who asks for one thing after the other.
struct LoadClient {
    /// How a request ended.
    private enum Outcome {
        case answer(status: UInt, text: String)
        /// No instance has taken it: nothing was done.
        case refused
        /// It was sent, and no answer came: nobody knows.
        case lost
    }

    private struct Project: Decodable {
        var id: Int
        var name: String
        var code: String
        var status: String
        var notes: String
        var version: Int
    }

    private struct Page: Decodable {
        var objects: [Project]
        var next: String?
    }

    private let http: HTTPClient
    private let targets: [String]
    private let number: Int
    private let run: UInt32
    private var turn: Int
    private var ledger = Ledger()

    init(_ http: HTTPClient, _ targets: [String], number: Int, run: UInt32) {
        self.http = http
        self.targets = targets
        self.number = number
        self.run = run
        turn = number
    }

    // MARK: Load

    mutating func load(until end: ContinuousClock.Instant, writes: Int) async throws -> Ledger {
        var count = 0
        while ContinuousClock.now < end {
            count += 1
            if Int.random(in: 0..<100) >= writes {
                await read()
            } else if ledger.project == nil || Int.random(in: 0..<4) == 0 {
                await create("L\(run)-\(number)-\(count)")
            } else {
                try await edit(count)
            }
        }
        return ledger
    }

    private mutating func read() async {
        let paths = [
            "/projects", "/projects?sort=-name", "/projects?search=L\(run)-\(number)-1&sort=code", "/people",
            "/api/projects?show=planned", ledger.project.map { "/projects/\($0)" } ?? "/meetings",
        ]
        let (outcome, time) = await timed { await $0.get(paths[Int.random(in: 0..<paths.count)]) }
        switch outcome {
        case .answer(200, _): ledger.reads.append(time)
        case .answer(let status, let text): note(status, text, isChange: false)
        case .refused: ledger.refused += 1
        case .lost: ledger.lost += 1
        }
    }

    private mutating func create(_ code: String) async {
        let (outcome, time) = await timed {
            await $0.send(.POST, "/api/projects", "application/json", #"{"code":"\#(code)","name":"Load \#(code)"}"#)
        }
        switch outcome {
        case .answer(201, let text):
            ledger.writes.append(time)
            ledger.created.append(code)
            if ledger.project == nil, let made = try? JSONDecoder().decode(Project.self, from: Data(text.utf8)) {
                ledger.project = made.id
            }
        case .answer(503, _):
            ledger.refused += 1
            ledger.refusedCreations.append(code)
        case .answer(let status, let text): note(status, text, isChange: true)
        case .refused:
            ledger.refused += 1
            ledger.refusedCreations.append(code)
        case .lost: ledger.lost += 1
        }
    }

    /// Writes a number into the notes of the client's own project, by the form, with the version that it has seen.
    private mutating func edit(_ value: Int) async throws {
        guard let id = ledger.project, case .answer(200, let text) = await get("/api/projects/\(id)"),
            let project = try? JSONDecoder().decode(Project.self, from: Data(text.utf8))
        else { return }
        check(project)
        let fields = [
            ("version", "\(project.version)"), ("name", project.name), ("code", project.code),
            ("status", project.status), ("notes", "\(value)"),
        ]
        let body = fields.map { "\($0)=\($1.replacing(" ", with: "+"))" }.joined(separator: "&")
        let (outcome, time) = await timed {
            await $0.send(.POST, "/projects/\(id)", "application/x-www-form-urlencoded", body)
        }
        switch outcome {
        case .answer(303, _):
            ledger.writes.append(time)
            ledger.edits += 1
            (ledger.acknowledged, ledger.unknown) = (value, [])
        case .answer(503, _), .refused: ledger.refused += 1
        // An earlier request of which nobody knew may have been done meanwhile.
        case .answer(409, _) where !ledger.unknown.isEmpty: break
        case .answer(let status, let text):
            ledger.unknown.append(value)
            note(status, text, isChange: true)
        case .lost:
            ledger.lost += 1
            ledger.unknown.append(value)
        }
    }

    /// Notes an answer that is no success.
    private mutating func note(_ status: UInt, _ text: String, isChange: Bool) {
        switch status {
        case 503: ledger.refused += 1
        // The answer to a COMMIT was lost: nobody knows.
        case 500 where isChange: ledger.lost += 1
        default: ledger.unexpected.append("\(status): \(text.prefix(300))")
        }
    }

    /// Notes what the project of this client holds though nobody has written that, or no longer holds.
    private mutating func check(_ project: Project) {
        let value = Int(project.notes) ?? 0
        guard value != ledger.acknowledged, !ledger.unknown.contains(value) else { return }
        ledger.unexpected.append("project \(project.id) holds \(value) in place of \(ledger.acknowledged)")
    }

    // MARK: Requests

    private mutating func timed(
        _ body: (inout LoadClient) async -> Outcome
    ) async -> (outcome: Outcome, seconds: Double) {
        let start = ContinuousClock.now
        let outcome = await body(&self)
        let time = ContinuousClock.now - start
        return (outcome, Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    }

    private mutating func get(_ path: String) async -> Outcome { await send(.GET, path, nil, nil) }

    /// Sends a request to one instance after the other until one takes it.
    ///
    /// What may have been done is not sent again.
    private mutating func send(
        _ method: HTTPMethod, _ path: String, _ type: String?, _ body: String?
    ) async -> Outcome {
        var outcome = Outcome.refused
        for attempt in targets.indices {
            turn += 1
            outcome = await sendOnce(method, targets[turn % targets.count] + path, type, body)
            switch outcome {
            case .answer(503, _), .refused: break
            case .lost where method == .GET: break
            default:
                if attempt > 0 { ledger.movedOn += 1 }
                return outcome
            }
        }
        return outcome
    }

    private func sendOnce(_ method: HTTPMethod, _ url: String, _ type: String?, _ body: String?) async -> Outcome {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let type { request.headers.add(name: "content-type", value: type) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        do {
            let response = try await http.execute(request, timeout: .seconds(40))
            let text = String(buffer: try await response.body.collect(upTo: 1 << 22))
            return .answer(status: response.status.code, text: text)
        } catch let error as HTTPClientError where error == .connectTimeout {
            return .refused
        } catch is NIOConnectionError {
            return .refused
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            return .refused
        } catch {
            return .lost
        }
    }

    // MARK: Verification

    /// Compares what the service holds with what it has acknowledged and refused.
    ///
    /// - Returns: Sentences about what is missing, or should not be there.
    mutating func verify(_ ledgers: [Ledger]) async throws -> [String] {
        var faults: [String] = []
        var codes: Set<String> = []
        var path: String? = "/api/projects?search=L\(run)-&sort=code"
        while let current = path {
            guard case .answer(200, let text) = await get(current) else { return ["The service does not answer."] }
            let page = try JSONDecoder().decode(Page.self, from: Data(text.utf8))
            codes.formUnion(page.objects.map(\.code))
            path = page.next.map { "/api/projects?search=L\(run)-&sort=code&after=\($0)" }
        }
        for ledger in ledgers {
            for code in ledger.created where !codes.contains(code) {
                faults.append("Project \(code) was acknowledged, and is not there.")
            }
            for code in ledger.refusedCreations where codes.contains(code) {
                faults.append("Project \(code) was refused, and is there.")
            }
            guard let id = ledger.project else { continue }
            guard case .answer(200, let text) = await get("/api/projects/\(id)") else {
                faults.append("Project \(id) was acknowledged, and can't be read.")
                continue
            }
            let value = Int(try JSONDecoder().decode(Project.self, from: Data(text.utf8)).notes) ?? 0
            if value != ledger.acknowledged, !ledger.unknown.contains(value) {
                faults.append("Project \(id) holds \(value), and \(ledger.acknowledged) was acknowledged last.")
            }
        }
        return faults
    }
}
