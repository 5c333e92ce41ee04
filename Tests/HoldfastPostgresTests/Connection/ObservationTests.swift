import FaultyProxy
import Foundation
import Holdfast
import HoldfastPostgres
import Testing

/// Observations of a server that is not always there.
@Suite(.server) struct ObservationTests {
    @Table("observed_reading")
    final class Reading {
        var id: Int64?
        var value: Int

        init(_ value: Int) { self.value = value }
    }

    @Test func `a server that goes and comes back ends no observation, and nothing is missed`() async throws {
        let (proxy, url) = try TestServer.proxy()
        defer { proxy.stop() }
        let schema = "holdfast_observed_\(ProcessInfo.processInfo.processIdentifier)"
        try await Database.withDatabase(.postgres(url: try #require(TestServer.url))) { admin async throws in
            try await admin.sql("CREATE SCHEMA \(identifier: schema)").execute()
        }
        let configuration = DatabaseConfiguration.postgres(url: url, schema: schema).with {
            $0.timeouts.connect = .seconds(2)
            $0.pool.checkoutTimeout = .seconds(2)
        }
        try await Database.withDatabase(configuration) { db async throws in
            try await db.migrate(Reading.self)
            var results = db.query(Reading.self).observe().makeAsyncIterator()
            var values = db.query(Reading.self).observe { try await $0.select { $0.value }.fetch() }
                .makeAsyncIterator()
            _ = try await results.next()
            _ = try await values.next()
            try await db.save(Reading(1))
            proxy.fail(by: .closes)
            let repair = Task {
                try await Task.sleep(for: .milliseconds(400))
                proxy.fail(by: .none)
            }
            #expect(try await results.next()?.objects.map(\.value) == [1])
            #expect(try await values.next() == [1])
            try await repair.value
            try await db.save(Reading(2))
            #expect(try await results.next()?.objects.map(\.value) == [1, 2])
            try await db.sql("DROP SCHEMA \(identifier: schema) CASCADE").execute()
        }
    }
}
