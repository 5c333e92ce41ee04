import Foundation

enum Waiting {
    static let isAsked = ProcessInfo.processInfo.environment["USER_TESTS_WAIT"] == "1"
}
