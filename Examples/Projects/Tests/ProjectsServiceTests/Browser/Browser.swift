import AsyncHTTPClient
import Foundation
import Holdfast
import NIOCore
import NIOHTTP1
import Testing

/// A headless Chromium, by chromedriver.
///
/// The protocol is https://www.w3.org/TR/webdriver2/
final class Browser: Sendable {
    /// Whether browser tests run: a browser is not everywhere where the others do.
    static let isThere = ProcessInfo.processInfo.environment["BROWSER_TESTS"] == "1"
    /// The directory where screenshots are kept; nil for nowhere.
    private static let screenshots = ProcessInfo.processInfo.environment["SCREENSHOTS"].map {
        URL(filePath: $0, directoryHint: .isDirectory)
    }

    private let session: String

    private init(session: String) { self.session = session }

    /// Starts a browser, and ends it afterwards.
    static func run(_ body: (Browser) async throws -> Void) async throws {
        let driver = Process()
        driver.executableURL = URL(filePath: "/usr/bin/env")
        driver.arguments = ["chromedriver", "--port=0"]
        let output = FileManager.default.temporaryDirectory.appending(path: "chromedriver-\(UUID().uuidString)")
        try Data().write(to: output)
        driver.standardOutput = try FileHandle(forWritingTo: output)
        driver.standardError = FileHandle.nullDevice
        try driver.run()
        defer {
            // The threads of Swift block signals, and so do the programs that they start. This one can't be blocked.
            kill(driver.processIdentifier, SIGKILL)
            try? FileManager.default.removeItem(at: output)
        }
        let port = try await port(from: output)
        let options: JSON = [
            "capabilities": [
                "alwaysMatch": [
                    "goog:chromeOptions": [
                        "args": [
                            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--window-size=1200,900", "--force-device-scale-factor=1",
                        ]
                    ]
                ]
            ]
        ]
        let answer = try await send(.POST, "http://127.0.0.1:\(port)/session", options)
        let id = try #require(answer["sessionId"]?.string)
        let browser = Browser(session: "http://127.0.0.1:\(port)/session/\(id)")
        do {
            try await body(browser)
        } catch {
            try? await browser.screenshot("failed")
            _ = try? await send(.DELETE, browser.session, nil)
            throw error
        }
        _ = try await send(.DELETE, browser.session, nil)
    }

    /// The port that chromedriver says it listens on.
    private static func port(from output: URL) async throws -> Int {
        for _ in 0..<200 {
            let text = try String(contentsOf: output, encoding: .utf8)
            if let match = text.firstMatch(of: /successfully on port ([0-9]+)/), let port = Int(match.1) { return port }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BrowserError(message: "chromedriver does not start")
    }

    private static func send(_ method: HTTPMethod, _ url: String, _ body: JSON?) async throws -> JSON {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body { request.body = .bytes(ByteBuffer(string: body.text)) }
        let response = try await HTTPClient.shared.execute(request, deadline: .now() + .seconds(60))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 25))
        let answer = try JSON(parsing: text)
        guard response.status == .ok else { throw BrowserError(message: answer["value"]?["message"]?.string ?? text) }
        return answer["value"] ?? .null
    }

    struct BrowserError: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    // MARK: Windows

    /// Opens another window, and returns its name.
    func newWindow() async throws -> String {
        try #require(try await post("window/new", ["type": "window"])["handle"]?.string)
    }

    /// The name of the window that is used.
    func window() async throws -> String {
        try #require(try await Self.send(.GET, session + "/window", nil).string)
    }

    func use(window: String) async throws { try await post("window", ["handle": JSON(string: window)]) }

    // MARK: Pages

    func open(_ url: String) async throws { try await post("url", ["url": JSON(string: url)]) }

    /// The result of a script, whose last statement returns it.
    @discardableResult func run(_ script: String) async throws -> JSON {
        try await post("execute/sync", ["script": JSON(string: script), "args": []])
    }

    /// Waits until an expression of JavaScript is true.
    func wait(until expression: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            // A page that is being replaced can't be asked.
            if let value = try? await run("return Boolean(\(expression))"), value.boolean == true { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = try await run("return document.body.innerText").string ?? ""
        Issue.record("\(expression) did not come true in:\n\(text)", sourceLocation: sourceLocation)
        throw BrowserError(message: "waited in vain")
    }

    func click(_ selector: String) async throws { try await post("element/\(element(selector))/click", [:]) }

    /// Writes into a field, in place of what it holds.
    func fill(_ selector: String, _ text: String) async throws {
        let element = try await element(selector)
        try await post("element/\(element)/clear", [:])
        try await post("element/\(element)/value", ["text": JSON(string: text)])
    }

    /// Types keys, wherever the focus is.
    ///
    /// Special keys are the characters that WebDriver has for them.
    func type(_ keys: String) async throws {
        let actions = keys.flatMap { key in
            [
                ["type": "keyDown", "value": JSON(string: String(key))] as JSON,
                ["type": "keyUp", "value": JSON(string: String(key))],
            ]
        }
        try await post("actions", ["actions": [["type": "key", "id": "keyboard", "actions": JSON(actions)]]])
    }

    private func element(_ selector: String) async throws -> String {
        let found = try await post("element", ["using": "css selector", "value": JSON(string: selector)])
        return try #require(found.object?.values.first?.string)
    }

    @discardableResult private func post(_ command: String, _ body: JSON) async throws -> JSON {
        try await Self.send(.POST, "\(session)/\(command)", body)
    }

    // MARK: Looks

    /// Has pages shown as on a device.
    ///
    /// - Parameters:
    ///   - width: The width of the window in pixels.
    ///   - isDark: Whether the user has asked for dark colours.
    func show(width: Int, isDark: Bool) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": JSON(width), "height": 900, "deviceScaleFactor": 1, "mobile": JSON(width < 600)])
        try await command(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
    }

    private func command(_ name: String, _ parameters: JSON) async throws {
        try await post("goog/cdp/execute", ["cmd": JSON(string: name), "params": parameters])
    }

    /// Keeps a picture of the page, if pictures are kept.
    func screenshot(_ name: String) async throws {
        guard let directory = Self.screenshots else { return }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let picture = try await Self.send(.GET, session + "/screenshot", nil).string ?? ""
        let data = try #require(Data(base64Encoded: picture))
        try data.write(to: directory.appending(path: name + ".png"))
    }
}
