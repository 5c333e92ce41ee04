import Foundation
import Holdfast
import Logging

/// Warnings of relations that are loaded one by one, which debug builds log.
extension ConformanceCase {
    #if DEBUG
    private static let warns = true
    #else
    private static let warns = false
    #endif

    static let loadWarnings: [ConformanceCase] = [
        graph(
            "op-log.one-by-one", "OP-LOG",
            "Debug builds warn once of loads for one object after the other of a fetch, with both call sites"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Crew.self, Bill.self, Slim.self) {
                $0.logger = recorder.logger(.warning)
            }
            for number in 0..<12 { try await db.save(Crew("c\(number)", [Choice("a"), Choice("b")])) }
            let buyers = (0..<12).map { Buyer("b\($0)", "N") }
            try await db.save(buyers)
            for buyer in buyers {
                let bill = Bill(debtor: Reference(buyer), issuer: Reference(buyer))
                bill.witnesses = buyers.map { Reference($0) }
                try await db.save(bill)
            }
            /// Expects a warning with two lines of this file, or none.
            func expectWarning(
                _ relation: String, fetch: UInt, load: UInt, of what: String, line: Int = #line
            ) throws {
                let lines = recorder.take()
                let file = "HoldfastConformance/Operations+LoadWarnings.swift"
                let words = ["relation=\(relation)", "fetch_site=\(file):\(fetch)", "call_site=\(file):\(load)"]
                try expect(
                    warns ? lines.count == 1 && words.allSatisfy(lines[0].contains) : lines.isEmpty,
                    "The warnings of \(what): \(lines)", line: line)
            }
            _ = recorder.take()

            // A relation, the first time and again.
            for round in 0..<2 {
                let crews = try await db.fetch(Crew.self, line: 1)
                for crew in crews { try await db.loadRelation(\.members, of: crew, line: 2) }
                if round == 0 { try expectWarning("Crew.members", fetch: 1, load: 2, of: "a relation") }
                try expect(crews.allSatisfy { $0.members.count == 2 }, "Something was not loaded.")
            }
            // References of a query, and those of a stream.
            for bill in try await db.query(Bill.self, line: 3).fetch() {
                _ = try await bill.debtor.load(from: db, line: 4)
            }
            try expectWarning("Reference<Buyer>", fetch: 3, load: 4, of: "references")
            for try await bill in db.query(Bill.self, line: 5).stream() {
                _ = try await bill.issuer?.load(from: db, line: 6)
            }
            try expectWarning("Reference<Buyer>", fetch: 5, load: 6, of: "references of a stream")
            // An array of references, of one object that was found.
            let bill = try expect(some: try await db.find(Bill.self, key: 1, line: 7), "the first bill")
            for witness in bill.witnesses { _ = try await witness.load(from: db, line: 8) }
            try expectWarning("Reference<Buyer>", fetch: 7, load: 8, of: "an array of references")
            // The same object, again and again, and in a transaction.
            let crew = try expect(some: try await db.find(Crew.self, key: 1, line: 9), "the first crew")
            try await db.transaction { transaction in
                for _ in 0..<10 { try await transaction.loadRelation(\.members, of: crew, line: 10) }
            }
            try expectWarning("Crew.members", fetch: 9, load: 10, of: "one object")
            // Objects of no relations, whose rows are decoded where they are, and structs.
            for note in try await db.query(Slim.self, line: 11).fetch() { _ = try await note.buyer?.load(from: db) }
            try expect(recorder.take(), equals: [], "the warnings of nothing")
            _ = try await db.insert((0..<10).map { Slim(id: $0, buyer: Reference(buyers[0])) })
            for note in try await db.query(Slim.self, line: 12).fetch() {
                _ = try await note.buyer?.load(from: db, line: 13)
            }
            try expectWarning("Reference<Buyer>", fetch: 12, load: 13, of: "references of structs")
        },
        graph(
            "op-log.not-one-by-one", "OP-LOG", "Loads for few objects of a fetch, or for many together, are no warning"
        ) { environment in
            let recorder = LogRecorder()
            let db = try await environment.open(Crew.self, Bill.self) { $0.logger = recorder.logger(.warning) }
            for number in 0..<12 { try await db.save(Crew("c\(number)", [Choice("a")])) }
            let buyers = (0..<12).map { Buyer("b\($0)", "N") }
            try await db.save(buyers)
            for buyer in buyers { try await db.save(Bill(debtor: Reference(buyer))) }
            _ = recorder.take()
            // Requests that find an object each, one after the other and at the same time.
            for number in 1...12 as ClosedRange<Int64> {
                let crew = try expect(some: try await db.find(Crew.self, key: number), "the crew")
                try await db.loadRelation(\.members, of: crew)
                let bill = try expect(some: try await db.query(Bill.self).where { $0.id == number }.first(), "the bill")
                _ = try await bill.debtor.load(from: db)
            }
            try await withThrowingTaskGroup { group in
                for number in 1...12 as ClosedRange<Int64> {
                    group.addTask {
                        guard let crew = try await db.find(Crew.self, key: number) else { return }
                        try await db.loadRelation(\.members, of: crew)
                    }
                }
                try await group.waitForAll()
            }
            // Nine of many, and all together.
            let crews = try await db.fetch(Crew.self)
            for crew in crews.prefix(9) { try await db.loadRelation(\.members, of: crew) }
            for _ in 0..<12 { try await db.loadRelation(\.members, of: crews) }
            let bills = try await db.fetch(Bill.self)
            for bill in bills.prefix(9) { _ = try await bill.debtor.load(from: db) }
            _ = try await db.fetch(Buyer.self, keys: bills.compactMap(\.debtor.key))
            // References that nobody has fetched.
            for buyer in buyers { _ = try await Reference<Buyer>(key: buyer.email).load(from: db) }
            try expect(recorder.take(), equals: [], "the warnings")
        },
    ]
}
