import Foundation
import Holdfast
import HoldfastSQLite
import HoldfastTesting
import HummingbirdTesting
import Testing

@testable import ProjectsService

extension BrowserTests {
    /// What pages look like, which is the same on every engine.
    struct LookTests {
        private static let pages = [
            ("projects", "/projects"), ("project", "/projects/3"), ("new", "/projects/new"), ("meetings", "/meetings"),
            ("people", "/people"), ("missing", "/projects/99"),
        ]

        /// Texts whose contrast is below what WCAG 2.2 asks for in 1.4.3.
        ///
        /// See https://www.w3.org/TR/WCAG22/#contrast-minimum
        private static let faint = """
            const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
            function channels(color, below) {
              canvas.clearRect(0, 0, 1, 1);
              if (below) { canvas.fillStyle = below; canvas.fillRect(0, 0, 1, 1); }
              canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
              return [...canvas.getImageData(0, 0, 1, 1).data];
            }
            function ground(element) {
              for (let e = element; e; e = e.parentElement) {
                const color = getComputedStyle(e).backgroundColor;
                if (channels(color)[3] === 255) return color;
              }
              return 'white';
            }
            function luminance(rgb) {
              const [r, g, b] = rgb.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            }
            const found = [];
            for (const e of document.querySelectorAll('body *')) {
              const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent.trim()).join('');
              if (!text || !e.checkVisibility() || e.matches('.hidden, .skip')) continue;
              const below = ground(e);
              const [a, b] = [channels(getComputedStyle(e).color, below), channels(below)].map(c => luminance(c.slice(0, 3)));
              const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
              if (ratio < 4.5) found.push(text + ' ' + ratio.toFixed(2));
            }
            return found.join(', ');
            """

        @Test(.timeLimit(.minutes(2))) func `pages fit a telephone, and can be read in light and in dark`() async throws
        {
            try await Site.on(.sqlite, .live) { site in
                let port = try #require(site.client.port)
                try await Browser.run { browser in
                    for (width, name) in [(360, "narrow"), (1200, "wide")] {
                        for isDark in [false, true] {
                            try await browser.show(width: width, isDark: isDark)
                            for (page, path) in Self.pages {
                                try await browser.open("http://127.0.0.1:\(port)\(path)")
                                let excess = try await browser.run(
                                    "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
                                ).integer
                                #expect(excess == 0, "\(page)")
                                #expect(try await browser.run(Self.faint).string == "", "\(page) \(isDark)")
                                try await browser.screenshot("\(page)-\(name)-\(isDark ? "dark" : "light")")
                            }
                        }
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(2))) func `a project is created by keyboard alone`() async throws {
            let (tab, enter, space) = ("\u{E004}", "\u{E007}", " ")
            try await Site.on(.sqlite, .live) { site in
                let port = try #require(site.client.port)
                try await Browser.run { browser in
                    try await browser.open("http://127.0.0.1:\(port)/projects")
                    try await browser.type(tab)
                    #expect(try await browser.run("return document.activeElement.className").string == "skip")
                    try await browser.type(enter + tab)
                    try await browser.wait(until: "document.activeElement.innerText === 'New project'")
                    let outline = try await browser.run("return getComputedStyle(document.activeElement).outlineStyle")
                    #expect(outline.string == "solid")
                    try await browser.type(enter)
                    try await browser.wait(until: "document.querySelector('h1').innerText === 'New project'")
                    try await browser.type(tab + enter)
                    // Past the navigation and the trail, to the first field.
                    for _ in 0..<20 where try await browser.run("return document.activeElement.id").string != "name" {
                        try await browser.type(tab)
                    }
                    try await browser.type("By keys" + tab + "KEYS" + tab + tab)
                    // A date has a field for each of its parts.
                    for _ in 0..<6 where try await browser.run("return document.activeElement.id").string != "lead" {
                        try await browser.type(tab)
                    }
                    try await browser.type("Grace" + tab + space + tab + tab + space + enter)
                    try await browser.wait(until: "document.querySelector('h1').innerText === 'By keys'")
                    #expect(try await browser.run("return document.getElementById('code').value").string == "KEYS")
                    let project = try #require(
                        try await site.db.query(Project.self).where { $0.code == "KEYS" }.including(["members"]).first()
                    )
                    #expect(project.lead?.name == "Grace Hopper")
                    #expect(project.members.count == 2)
                }
            }
        }
    }
}
