import ArgumentParser
import Foundation
import Holdfast
import HoldfastSQLite

/// Tokens of pages are the place of a page, or refused.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tokens", abstract: "Try tokens of pages.")

    @OptionGroup var options: FuzzOptions

    func run() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.migrate(Project.self, Meeting.self, Person.self)
            for number in 0..<3 {
                let project = Project(name: "é\(number)")
                project.budget = Decimal(number)
                project.start = Date(timeIntervalSince1970: 5)
                try await db.save(project)
            }
            let query = db.query(Project.self).order {
                [$0.name.ascending, $0.budget.descending, $0.size.ascending, $0.start.ascending, $0.hours.ascending]
            }
            guard let token = try await query.page(size: 1).next?.token else { throw Failure("There is no page.") }
            try await Trial(name: "page tokens", options: options).run { number, isLong, random in
                isLong
                    ? PageTokens.longToken(using: &random)
                    : PageTokens.altered(token, number: number, using: &random).token
            } _: { _, token in
                guard let cursor = PageCursor(token: token) else { return false }
                do {
                    _ = try await query.page(size: 1, after: cursor)
                    return true
                } catch let error as DatabaseError where error.code == .invalidValue {
                    return false
                }
            }
        }
    }
}
