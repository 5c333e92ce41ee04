import Foundation
import Holdfast

extension ConformanceCase {
    static let sch4Columns: [ConformanceCase] = [
        ConformanceCase(
            "sch-4.cases", "SCH-4",
            "A CHECK constraint keeps to the cases of an enum, and admits more of them after a migration",
            level: .graph
        ) { environment in
            let db = try await environment.open(Checked.Ticket.self)
            _ = try await db.insert(Checked.Ticket(id: nil, state: .closed, level: .low))
            _ = try await db.insert(Checked.Ticket(id: nil, state: .open, level: nil))
            try await expect(.checkViolation, from: "a text that is no case") {
                try await db.sql("UPDATE ticket SET state = 'lost'").execute()
            }
            try await expect(.checkViolation, from: "a number that is no case") {
                try await db.sql("UPDATE ticket SET level = 1").execute()
            }
            try expect(try await db.migrate(Checked.Ticket.self).steps, equals: [], "the steps of a second time")
            let checks = try await db.schema().table("ticket")?.checks ?? []
            try expect(
                checks.compactMap(\.name).sorted(),
                equals: ["holdfast_ticket_level_check", "holdfast_ticket_state_check"], "the names of the constraints")
            try expect(checks.contains { $0.expression.contains("'closed'") }, "The schema does not show the cases.")
            try expect(try await db.drift(Checked.Ticket.self), equals: [], "the drift")

            let wider = try await db.schemaPlan(for: Checked.Wider.self)
            try expect(wider.steps.contains { $0.losesData || $0.mayFail }, equals: false, "whether a step can fail")
            try expect(
                wider.hazards.map(\.severity), equals: [.mayBreak], "the hazards of values that the old version has not"
            )
            try await db.migrate(Checked.Wider.self)
            try expect(try await db.migrate(Checked.Wider.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Checked.Wider.self), equals: [], "the drift")
            let odd = try await db.insert(Checked.Wider(id: nil, state: .odd, level: .high))
            try expect(
                try await db.find(Checked.Wider.self, key: odd.id ?? 0), equals: odd, "the row with the new case")
            try await expect(.checkViolation, from: "a text that is no case of an added column") {
                try await db.sql("UPDATE ticket SET later = 'lost'").execute()
            }
        },
        ConformanceCase(
            "sch-4.fewer-cases", "SCH-4",
            "A CHECK constraint has fewer cases if no row has another, follows its column, and goes with the enum",
            level: .graph
        ) { environment in
            let db = try await environment.open(Checked.Ticket.self)
            _ = try await db.insert(Checked.Ticket(id: nil, state: .closed, level: .low))
            _ = try await db.insert(Checked.Ticket(id: nil, state: .open, level: nil))
            try await db.migrate(Checked.Wider.self)
            _ = try await db.insert(Checked.Wider(id: nil, state: .odd, level: .high))
            let narrower = try await db.schemaPlan(for: Checked.Narrower.self)
            try expect(narrower.steps.contains(where: \.mayFail), "No step is said to be able to fail.")
            try expect(narrower.steps.contains(where: \.losesData), equals: false, "whether a step loses data")
            try expect(narrower.report.contains("may fail"), "The report does not say so: \(narrower.report)")
            let refused = try await expect(.conflict, from: "a row with a case that is gone") {
                try await db.migrate(Checked.Narrower.self)
            }
            try expect(refused.properties, equals: ["state"], "the property that the error names")
            try expect(try await db.count(Checked.Wider.self), equals: 3, "the rows")
            try await db.sql("UPDATE ticket SET state = 'open' WHERE state = 'closed'").execute()
            try await db.migrate(Checked.Narrower.self)
            try expect(try await db.migrate(Checked.Narrower.self).steps, equals: [], "the steps of a second time")
            try await expect(.checkViolation, from: "a case that is gone") {
                try await db.sql("UPDATE ticket SET state = 'closed'").execute()
            }

            try await db.migrate(Checked.Renamed.self)
            try expect(try await db.migrate(Checked.Renamed.self).steps, equals: [], "the steps of a second time")
            // The column that no property has any more stays.
            let drift = try await db.drift(Checked.Renamed.self).filter { $0.element != .column("later") }
            try expect(drift.filter { !"\($0)".contains("later") }, equals: [], "the drift")
            try await expect(.checkViolation, from: "a text that is no case of the renamed column") {
                try await db.sql("UPDATE issue SET phase = 'lost'").execute()
            }
            let schema = Schema(Checked.Free.self, allowing: [.dropping(column: "later", of: "issue")])
            try await db.migrate(schema)
            try expect(try await db.migrate(schema).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(schema), equals: [], "the drift")
            try await db.sql("UPDATE issue SET phase = 'lost', level = 1 WHERE level = 20").execute()
            let phases = try await db.query(Checked.Free.self).order(\.id).fetch().map(\.phase)
            try expect(phases, equals: ["open", "open", "lost"], "the values that nothing restricts")
        },
        ConformanceCase(
            "sch-4.defaults", "SCH-4", "A changed default is that of the column, in a table that is otherwise the same",
            level: .graph
        ) { environment in
            let db = try await environment.open(Checked.Setting.self)
            _ = try await db.insert(Checked.Setting(id: nil, name: "first"))
            let plan = try await db.migrate(Checked.OtherSetting.self)
            try expect(plan.steps.contains { $0.losesData || $0.mayFail }, equals: false, "whether a step can fail")
            try expect(try await db.migrate(Checked.OtherSetting.self).steps, equals: [], "the steps of a second time")
            try await db.sql("INSERT INTO setting (word) VALUES ('w')").execute()
            let made = try await db.query(Checked.OtherSetting.self).order(\.id).fetch()
            try expect(made.map(\.name), equals: ["first", #"it's \ "x""#], "a default of text")
            try expect(made.map(\.count), equals: [1, -2], "a default of integers")
            try expect(made.map(\.isOn), equals: [false, true], "a default of Booleans")
            try expect(made.map(\.ratio), equals: [1.5, 0.25], "a default of numbers")
            try expect(made.map(\.share), equals: [nil, 2.5], "a default of numbers")
            try await expect(.notNullViolation, from: "a row without a value that has no default any more") {
                try await db.sql("INSERT INTO setting (name) VALUES ('n')").execute()
            }
            try await db.migrate(Checked.Setting.self)
            try expect(try await db.migrate(Checked.Setting.self).steps, equals: [], "the steps on the way back")
            try await db.sql("INSERT INTO setting (name) VALUES ('n')").execute()
            let back = try await db.query(Checked.Setting.self).order(\.id).fetch().last
            try expect([back?.word], equals: ["a"], "the first default")
            try expect(try await db.drift(Checked.Setting.self), equals: [], "the drift")
        },
        ConformanceCase(
            "sch-4.of-others", "SCH-4", "Columns that were there already keep their defaults and what they accept",
            level: .graph
        ) { environment in
            let db = try await environment.open(Checked.Setting.self)
            // As if somebody else had made it.
            try await db.sql("DELETE FROM holdfast_column").execute()
            try await db.adopt(Checked.OtherSetting.self)
            try expect(try await db.migrate(Checked.OtherSetting.self).steps, equals: [], "the steps if it is adopted")
            try await db.release(Checked.OtherSetting.self)
            for _ in 0..<2 {
                try expect(try await db.migrate(Checked.OtherSetting.self).steps, equals: [], "the steps if it is not")
            }
            try await db.sql("INSERT INTO setting (name, is_on) VALUES ('n', NOT FALSE)").execute()
            let row = try await db.query(Checked.OtherSetting.self).where { $0.count == 1 && $0.word == "a" }.count()
            try expect(row, equals: 1, "the rows with the defaults of the other")
        },
    ]
}
