import Holdfast
import HoldfastTesting
import Testing

@testable import ProjectsService

/// All that needs a browser: one test at a time, as each has a browser of its own, over the sample.
@Suite(
    .serialized, .enabled(if: Browser.isThere, "BROWSER_TESTS=1 runs these."),
    .database(prepare: { db in
        try await db.migrate(Schema(Person.self, Project.self, Meeting.self, version: 1))
        try await SampleData.add(to: db)
    }))
enum BrowserTests {}
