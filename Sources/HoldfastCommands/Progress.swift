import Foundation
import HoldfastConformance
import Synchronization

/// A line on the terminal that counts the cases.
final class Progress: Sendable {
    private let total: Int
    private let isShown: Bool
    private let ended = Mutex(0)

    init(total: Int, isShown: Bool) {
        self.total = total
        self.isShown = isShown
    }

    func ended(_ result: ConformanceResult) {
        guard isShown else { return }
        ended.withLock { ended in
            ended += 1
            write("\r\u{1B}[K\(ended)/\(total) \(result.behaviour.id)")
        }
    }

    func clear() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
