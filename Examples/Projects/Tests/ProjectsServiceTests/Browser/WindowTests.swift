import Foundation
import Holdfast
import HoldfastTesting
import HummingbirdTesting
import ServiceLifecycle
import Testing

@testable import ProjectsService

extension BrowserTests {
    /// What windows show of each other's edits.
    struct WindowTests {
        private static let title = "document.querySelector('h1')?.innerText"

        @Test(.timeLimit(.minutes(2)), arguments: Site.engines)
        func `an edit in one window appears in the other`(on engine: DriverType) async throws {
            try await Site.on(engine, .live) { site in
                let port = try #require(site.client.port)
                let address = "http://127.0.0.1:\(port)"
                try await Browser.run { browser in
                    let list = try await browser.window()
                    try await browser.open(address + "/projects?sort=name")
                    let reader = try await browser.newWindow()
                    try await browser.use(window: reader)
                    try await browser.open(address + "/projects/1")
                    let editor = try await browser.newWindow()
                    try await browser.use(window: editor)
                    try await browser.open(address + "/projects/1")
                    try await browser.fill("#name", "Apollo <11>")
                    try await browser.click("form.sheet button")
                    try await browser.wait(until: "\(Self.title) === 'Apollo <11>'")

                    // The list, and a form in which nobody has written anything, are current at once.
                    try await browser.use(window: list)
                    try await browser.wait(until: "document.querySelector('#rows').innerText.includes('Apollo <11>')")
                    try await browser.use(window: reader)
                    try await browser.wait(until: "\(Self.title) === 'Apollo <11>'")

                    // What somebody writes stays, and says that it is behind.
                    try await browser.fill("#notes", "From the second window.")
                    try await browser.use(window: editor)
                    try await browser.fill("#name", "Apollo 12")
                    try await browser.click("form.sheet button")
                    try await browser.wait(until: "\(Self.title) === 'Apollo 12'")
                    try await browser.use(window: reader)
                    try await browser.wait(until: "!document.getElementById('changed').hidden")
                    #expect(
                        try await browser.run("return document.getElementById('notes').value").string
                            == "From the second window.")
                    try await browser.click("form.sheet button")
                    try await browser.wait(until: "document.querySelector('.conflict') !== null")
                    #expect(
                        try await browser.run("return document.querySelector('.theirs').innerText").string
                            == "Saved now: Apollo 12")
                    try await browser.screenshot("conflict-\(engine.testDescription)")
                    try await browser.click("form.sheet button")
                    // The page of the conflict has this title as well, until the answer replaces it.
                    try await browser.wait(
                        until: "\(Self.title) === 'Apollo <11>' && document.querySelector('.conflict') === null")

                    // Deleted in one window, gone in the others.
                    try await browser.click("button.danger")
                    try await browser.wait(until: "\(Self.title) === 'Projects'")
                    try await browser.use(window: editor)
                    try await browser.wait(until: "!document.getElementById('gone').hidden")
                    try await browser.use(window: list)
                    try await browser.wait(until: "document.querySelector('.count').innerText === '9 projects'")
                }
            }
        }

        @Test(.timeLimit(.minutes(2)), arguments: Site.engines)
        func `a lost connection recovers`(on engine: DriverType) async throws {
            let db = try await Database.current(on: engine)
            var configuration = ServiceConfiguration(database: try TestDatabase.current.configuration)
            configuration.port = Int.random(in: 20_000..<30_000)
            let (settings, metrics) = (configuration, Site.metrics)
            func serve() async throws -> ServiceGroup {
                let application = ProjectsService.application(settings, db, metrics)
                return ServiceGroup(services: [application], logger: settings.logger)
            }
            try await Browser.run { browser in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    let first = try await serve()
                    tasks.addTask { try await first.run() }
                    let address = "http://127.0.0.1:\(settings.port)/projects"
                    for _ in 0..<100 {
                        do { try await browser.open(address); break } catch {
                            try await Task.sleep(for: .milliseconds(50))
                        }
                    }
                    try await browser.wait(until: "document.querySelector('.count').innerText === '10 projects'")
                    await first.triggerGracefulShutdown()
                    try await tasks.next()
                    try await browser.wait(until: "!document.getElementById('connection').hidden")

                    try await db.save(Project(code: "NEW", name: "While nobody looked"))
                    let second = try await serve()
                    tasks.addTask { try await second.run() }
                    try await browser.wait(until: "document.querySelector('.count').innerText === '11 projects'")
                    try await browser.wait(until: "document.getElementById('connection').hidden")
                    await second.triggerGracefulShutdown()
                }
            }
        }
    }
}
