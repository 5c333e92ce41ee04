import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let rel1LongArrays: [ConformanceCase] = [
        graph(
            "rel-1.random-edits", "REL-1",
            "Random changes of the arrays of two owners leave what plain Swift arrays hold"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let other = try await environment.open()
            var generator = SplitMix64(state: environment.seed)
            let words = ["a", "b", "", "é", "e\u{301}", "ß"]
            let people = (0..<7).map { Employee("e\($0)") }
            try await db.save(people)
            var panels = [Panel("one"), Panel("two")]
            try await db.save(panels)
            var expected = panels.map { PanelContents($0) }
            for step in 0..<150 {
                let index = Int.random(in: 0...1, using: &generator)
                let panel = panels[index]
                var log: [ArrayEdit] = []
                func edit(_ count: Int, _ picks: Int) -> ArrayEdit {
                    log.append(.random(count: count, picks: picks, using: &generator))
                    return log[log.count - 1]
                }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0..<3: edit(panel.words.count, words.count).apply(to: &panel.words, pool: words)
                case 3..<6: edit(panel.members.count, people.count).apply(to: &panel.members, pool: people)
                case 6:
                    var deputies = panel.deputies ?? []
                    edit(deputies.count, people.count).apply(to: &deputies, pool: people)
                    panel.deputies = deputies
                default: panel.deputies = panel.deputies == nil ? [] : nil
                }
                switch Int.random(in: 0..<6, using: &generator) {
                case 0..<2:
                    try await db.save(panel)
                    expected[index] = PanelContents(panel)
                case 2:
                    try await db.save(panels)
                    expected = panels.map { PanelContents($0) }
                case 3:
                    // Another instance, so that what is compared is what the database has.
                    try await db.save(panels)
                    expected = panels.map { PanelContents($0) }
                    panels = try expect(try await db.fetch(Panel.self), count: 2, "panels")
                    // Elements must be those of the pool, to be compared by identity with what is added.
                    for panel in panels {
                        panel.members = panel.members.map { member in people.first { $0.id == member.id } ?? member }
                        panel.deputies = panel.deputies?.map { member in people.first { $0.id == member.id } ?? member }
                    }
                default: continue
                }
                for (position, contents) in expected.enumerated() {
                    let key = try expect(some: panels[position].id, "the key")
                    let same = try expect(some: try await other.find(Panel.self, key: key), "the panel")
                    let what = "panel \(position) after \(log) in step \(step) of the seed \(environment.seed)"
                    try expect(PanelContents(same), equals: contents, what)
                    try expect(try await PanelContents(key, by: other), equals: contents.inSQL, "\(what), by SQL")
                }
            }
        },
        graph(
            "rel-1.one-of-2000", "REL-1",
            "An element more in an array of 2,000 writes few rows, and leaves the others alone"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Panel.self) { probe.attach(to: &$0) }
            let people = (0..<40).map { Employee("e\($0)") }
            let panel = Panel("long")
            panel.members = (0..<2_000).map { people[$0 % 40] }
            panel.words = (0..<2_000).map { "w\($0)" }
            try await db.save(panel)
            for place in [0, 2_001, 1_000] {
                let members = try await db.numbers("SELECT position FROM panel_members")
                let words = try await db.numbers("SELECT position FROM panel_words")
                panel.members.insert(people[7], at: place)
                panel.words.insert("new", at: place)
                try await db.save(panel)
                let new = Set(try await db.numbers("SELECT position FROM panel_members")).symmetricDifference(members)
                try expect(new.count, equals: 1, "the number of links that came or went, by position")
                let newWords = Set(try await db.numbers("SELECT position FROM panel_words")).symmetricDifference(words)
                try expect(newWords.count, equals: 1, "the number of elements that came or went, by position")
            }
            let same = try expect(some: try await db.fetch(Panel.self).first, "the panel")
            try expect(same.members.map(\.name), equalsEach: panel.members.map(\.name), "the members")
            try expect(same.words, equalsEach: panel.words, "the words")
            // A thousand in one place find no room between two; no more than the neighbours make way.
            let before = try await db.numbers("SELECT position FROM panel_words")
            panel.words.insert(contentsOf: (0..<1_500).map { "m\($0)" }, at: 700)
            try await db.save(panel)
            let gone = Set(before).subtracting(try await db.numbers("SELECT position FROM panel_words"))
            try expect(gone.count <= 4, "\(gone.count) elements made way.")
            let after = try expect(some: try await db.fetch(Panel.self).first, "the panel")
            try expect(after.words, equalsEach: panel.words, "the words")
        },
        ConformanceCase(
            "rel-1.objects-two-savers", "REL-1",
            "Two that save one array of objects at the same time leave one of the two arrays, whole", level: .graph,
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(Panel.self)
            let other = try await environment.open()
            let people = (0..<12).map { Employee("\($0)") }
            try await db.save(people)
            let panel = Panel("p")
            panel.members = [people[0]]
            try await db.save(panel)
            let key = try expect(some: panel.id, "the key")
            for round in 0..<8 {
                let arrays = (0...1).map { saver in (0...(round + saver * 4)).map { "\(($0 * (saver + 1)) % 12)" } }
                try await withThrowingTaskGroup { group in
                    for (database, names) in [(db, arrays[0]), (other, arrays[1])] {
                        group.addTask {
                            let all = try await database.fetch(Employee.self)
                            let mine = try expect(some: try await database.find(Panel.self, key: key), "the panel")
                            mine.members = try names.map { name in
                                try expect(some: all.first { $0.name == name }, "the employee")
                            }
                            try await database.save(mine)
                        }
                    }
                    try await group.waitForAll()
                }
                let names = try expect(some: try await db.find(Panel.self, key: key), "the panel").members.map(\.name)
                try expect(arrays.contains(names), "The array is neither of the two that were saved: \(names).")
            }
        },
    ]
}

/// The contents of a panel's arrays: texts by bytes, objects by name.
private struct PanelContents: Equatable {
    var words: [[UInt8]]
    var members: [String]
    var deputies: [String]?

    init(_ panel: Panel) {
        words = panel.words.map { Array($0.utf8) }
        members = panel.members.map(\.name)
        deputies = panel.deputies?.map(\.name)
    }

    /// Reads the contents by plain SQL, which sees only the rows of an array.
    init(_ key: Int64, by db: Database) async throws {
        words = try await db.texts("SELECT value FROM panel_words WHERE panel_id = \(key) ORDER BY position")
            .map { Array(($0 ?? "NULL").utf8) }
        members = try await db.texts(
            "SELECT e.name FROM panel_members AS m JOIN employee AS e ON e.id = m.employee_id WHERE m.panel_id = \(key) ORDER BY m.position"
        ).compactMap(\.self)
        deputies = try await db.texts(
            "SELECT e.name FROM panel_deputies AS m JOIN employee AS e ON e.id = m.employee_id WHERE m.panel_id = \(key) ORDER BY m.position"
        ).compactMap(\.self)
    }

    var inSQL: PanelContents {
        var result = self
        result.deputies = deputies ?? []
        return result
    }
}
