@_spi(Driver) import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

@testable import HoldfastTesting

@Suite struct ObservedDriverTests {
    @Test(arguments: ["sqlite::memory:", "postgres://app@db.example.org/prod"])
    func `a driver that is observed is known by the same name`(url: String) async throws {
        let engine: DriverType = url.hasPrefix("sqlite") ? .sqlite : .postgres
        let configuration = try engine.configure(url)
        let base = try configuration.makeDriver(configuration)
        let driver = ObservedDriver(base: base, recording: nil, faults: nil)
        #expect(driver.telemetryTarget == base.telemetryTarget)
        #expect(driver.sharing == base.sharing)
        #expect(driver.sharesSessions == base.sharesSessions)
        await driver.shutdown()
    }
}
