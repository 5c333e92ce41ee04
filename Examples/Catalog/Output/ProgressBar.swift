import Foundation

/// A bar on standard error that grows, if that is a terminal; otherwise nothing.
struct ProgressBar {
    private let title: String
    private let total: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shownWidth = -1

    private static let width = 40

    init(title: String, total: Int) {
        self.title = title
        self.total = max(total, 1)
        advance(to: 0)
    }

    /// Shows how much is done.
    mutating func advance(to done: Int) {
        let width = Self.width * done / total
        guard isShown, width != shownWidth || done == total else { return }
        shownWidth = width
        let bar = String(repeating: "█", count: width) + String(repeating: "░", count: Self.width - width)
        write("\r\(title) \(bar) \(done.grouped) of \(total.grouped)")
    }

    /// Takes the bar away.
    func clear() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
