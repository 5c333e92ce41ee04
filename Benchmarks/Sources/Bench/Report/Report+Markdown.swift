import Foundation

extension Report {
    /// A table for each engine, under a head that says where it was measured.
    var markdown: String {
        let versions = machine.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var text = """
            \(machine.date), \(machine.processor), \(machine.cores) cores, \(machine.memoryGiB) GiB, kernel \(machine.kernel); \
            \(versions.joined(separator: ", ")); \(rounds) rounds. Two numbers are the median and the least.

            """
        for engine in Engine.allCases {
            let lines = lines.filter { $0.engine == engine }
            if !lines.isEmpty { text += "\n" + Self.table(engine, lines) }
        }
        return text
    }

    private static func table(_ engine: Engine, _ lines: [Line]) -> String {
        var text = """
            ### \(engine == .sqlite ? "SQLite" : "PostgreSQL")

            | | | rows | | ms | to the floor | \(engine == .sqlite ? "to GRDB" : "to pipelined") | CPU, ms | to the floor | peak memory, MB | to the floor | allocations a row |
            |---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|

            """
        var previous = ""
        for line in lines {
            // The work is named once.
            let head = line.title == previous ? ["", "", ""] : [line.work, line.title, String(line.rows)]
            previous = line.title
            let cells = head + [line.contestant.rawValue] + numbers(line)
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return text
    }

    private static func numbers(_ line: Line) -> [String] {
        [
            pair(line.time, 1000, 1), pair(line.timeToFloor, 1, 2),
            pair(line.engine == .sqlite ? line.timeToGRDB : line.timeToPipelined, 1, 2),
            pair(line.processorTime, 1000, 1), pair(line.processorTimeToFloor, 1, 2),
            line.memory.map { number($0.median / 1e6, 1) } ?? "",
            line.memoryToFloor.map { number($0.median, 2) } ?? "",
            line.allocationsPerRow.map { number($0, 2) } ?? "",
        ]
    }

    private static func pair(_ summary: Summary?, _ factor: Double, _ digits: Int) -> String {
        guard let summary else { return "" }
        return number(summary.median * factor, digits) + " · " + number(summary.minimum * factor, digits)
    }

    private static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
