import Holdfast
import Synchronization

/// Runs cases, each in its own database and with a time limit.
///
/// ```swift
/// let runner = ConformanceRunner(provision, manifest: ConformanceManifest(driver: "mysql", claims: [.core]))
/// print(await runner.run())
/// ```
public struct ConformanceRunner: Sendable {
    /// Creates and removes the databases of cases.
    public let provision: any ConformanceProvision
    /// The manifest of the driver.
    public let manifest: ConformanceManifest
    /// The time limit of a case.
    ///
    /// A case that exceeds it has failed, and the others continue.
    public let timeLimit: Duration
    /// The seed of random choices.
    public let seed: UInt64

    private let gate: Gate

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - provision: Creates the databases.
    ///   - manifest: The manifest of the driver.
    ///   - concurrency: The number of cases that run at the same time.
    ///   - timeLimit: The time limit of a case.
    ///   - seed: The seed of random choices.
    public init(
        _ provision: any ConformanceProvision,
        manifest: ConformanceManifest,
        concurrency: Int = 4,
        timeLimit: Duration = .seconds(60),
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.provision = provision
        self.manifest = manifest
        self.timeLimit = timeLimit.bounded
        self.seed = seed
        gate = Gate(width: max(concurrency, 1))
    }

    /// Runs one case, once fewer than the allowed number are running.
    public func run(_ behaviour: ConformanceCase) async -> ConformanceResult {
        await gate.enter()
        let start = ContinuousClock.now
        let attempt = await attempt(behaviour)
        let duration = ContinuousClock.now - start
        gate.leave()
        return ConformanceResult(behaviour: behaviour, outcome: judge(behaviour, attempt), duration: duration)
    }

    /// Runs the cases whose level the manifest does not decline.
    ///
    /// - Parameters:
    ///   - cases: The cases; run all of them for a report that decides whether the driver conforms.
    ///   - progress: Called after each case, in the order in which they end.
    public func run(
        _ cases: [ConformanceCase] = ConformanceCase.all,
        progress: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async -> ConformanceReport {
        let chosen = cases.filter { manifest.declines[$0.level] == nil }
        var results: [String: ConformanceResult] = [:]
        await withTaskGroup(of: ConformanceResult.self) { group in
            for behaviour in chosen { group.addTask { await run(behaviour) } }
            for await result in group {
                results[result.behaviour.id] = result
                progress(result)
            }
        }
        return ConformanceReport(
            manifest: manifest,
            seed: seed,
            results: chosen.compactMap { results[$0.id] },
            problems: manifest.problems(with: ConformanceCase.all)
        )
    }
}

// MARK: One case

extension ConformanceRunner {
    private struct Attempt: Sendable {
        /// Nil before the engine could be asked.
        var capabilities: Capabilities?
        /// Nil if it passed.
        var failure: (any Error)?
    }

    private struct TookTooLong: Error {}

    /// Runs the case in a task of its own, which is given up if it neither ends nor can be cancelled.
    private func attempt(_ behaviour: ConformanceCase) async -> Attempt {
        let environment: ConformanceEnvironment
        do {
            environment = try await limited(timeLimit) { [provision, seed] in
                try await ConformanceEnvironment(provision, seed: seed)
            }
        } catch {
            return Attempt(failure: error)
        }
        var attempt = Attempt(capabilities: environment.capabilities)
        do {
            try await limited(timeLimit) { try await behaviour.run(environment) }
        } catch {
            attempt.failure = error
        }
        do {
            try await limited(.seconds(20)) { try await environment.tearDown() }
        } catch {
            // What the case itself says matters more; that nothing could be closed follows from it.
            attempt.failure = attempt.failure ?? TearDownFailure(cause: error)
        }
        return attempt
    }

    private struct TearDownFailure: Error {
        let cause: any Error
    }

    /// Waits for `operation` until the time is over; then cancels it, and waits for it no longer.
    private func limited<Output: Sendable>(
        _ limit: Duration,
        _ operation: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let race = Race<Output>()
        let runner = Task { race.finish(await Result { try await operation() }) }
        let timer = Task {
            try await Task.sleep(for: limit)
            runner.cancel()
            race.finish(.failure(TookTooLong()))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await race.value()
        } onCancel: {
            runner.cancel()
        }
    }

    private func judge(_ behaviour: ConformanceCase, _ attempt: Attempt) -> ConformanceOutcome {
        let outcome = classify(behaviour, attempt)
        guard let issue = manifest.knownIssue(behaviour) else { return outcome }
        if case .failed = outcome { return .knownIssue(reason: issue.reason) }
        return .failed("It passes, but the manifest says that it is a known issue. Take it out of the manifest.")
    }

    private func classify(_ behaviour: ConformanceCase, _ attempt: Attempt) -> ConformanceOutcome {
        guard let capabilities = attempt.capabilities else {
            return .failed("No database could be made for the case. \(message(attempt.failure))")
        }
        func names(_ support: Requirement.Support) -> [String] {
            behaviour.requires.filter { $0.support(capabilities) == support }.map(\.name)
        }
        let missing = names(.missing)
        guard missing.isEmpty else {
            let error = (attempt.failure as? ExpectationFailure)?.cause ?? attempt.failure as? DatabaseError
            if error?.code == .unsupported { return .unsupportedAndRefused(missing) }
            let found = attempt.failure.map(message) ?? "It was done instead."
            return .failed(
                "The engine claims no \(missing.joined(separator: ", ")), so it must refuse it as unsupported. \(found)"
            )
        }
        if let failure = attempt.failure { return .failed(message(failure)) }
        let emulated = names(.emulated)
        return emulated.isEmpty ? .passed : .emulated(emulated)
    }

    private func message(_ failure: (any Error)?) -> String {
        switch failure {
        case nil: ""
        case let failure as ExpectationFailure: failure.description
        case is TookTooLong: "It did not end within \(timeLimit)."
        case let failure as TearDownFailure:
            "It passed, but its database could not be closed. \(message(failure.cause))"
        case let error as DatabaseError: "It threw \(error.debugDescription)"
        case let error?: "It threw \(error)."
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ operation: () async throws -> Success) async {
        do {
            self = .success(try await operation())
        } catch {
            self = .failure(error)
        }
    }
}
