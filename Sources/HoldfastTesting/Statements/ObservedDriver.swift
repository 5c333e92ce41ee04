@_spi(Driver) public import Holdfast

extension DatabaseConfiguration {
    /// Returns a copy whose databases have their statements recorded.
    ///
    /// - Parameter recording: Where they are recorded. Several databases can share one.
    public func recording(_ recording: StatementRecording) -> DatabaseConfiguration {
        observed(recording, nil)
    }

    /// Returns a copy whose databases meet the faults that a test injects.
    ///
    /// - Parameter faults: The faults. Databases that share them count their statements together.
    public func injecting(_ faults: FaultInjection) -> DatabaseConfiguration {
        observed(nil, faults)
    }

    func observed(_ recording: StatementRecording?, _ faults: FaultInjection?) -> DatabaseConfiguration {
        with { configuration in
            let make = configuration.makeDriver
            configuration.makeDriver = {
                ObservedDriver(base: try make($0), recording: recording, faults: faults)
            }
        }
    }
}

/// A driver whose statements are recorded, and meet faults.
struct ObservedDriver: Driver {
    let base: any Driver
    let recording: StatementRecording?
    let faults: FaultInjection?

    var dialect: any Dialect { base.dialect }
    var sharing: ConnectionSharing { base.sharing }
    var sharesSessions: Bool { base.sharesSessions }
    var telemetryTarget: TelemetryTarget { base.telemetryTarget }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        ObservedConnection(try await base.connect(role), dialect, recording, faults)
    }

    func deleteDatabase(confirmingName name: String) async throws {
        try await base.deleteDatabase(confirmingName: name)
    }

    func shutdown() async { await base.shutdown() }
}
