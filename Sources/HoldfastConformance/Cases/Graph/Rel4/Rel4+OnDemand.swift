@_spi(Driver) import Holdfast

/// What comes with an object of which nothing is said, and what does not.
extension ConformanceCase {
    static let rel4OnDemand: [ConformanceCase] = [
        graph(
            "rel-4.inverse-on-demand", "REL-4",
            "An array that the other side keeps is loaded on demand, and what an object refers to and holds with it"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(HelpDesk.Comment.self) { probe.attach(to: &$0) }
            let organisation = HelpDesk.Organisation("o")
            let tickets = (0..<50).map { HelpDesk.Ticket("t\($0)", of: organisation) }
            let agent = HelpDesk.Agent("a", of: organisation)
            (tickets[7].labels, tickets[7].watchers, tickets[7].assignee) = (["l"], [agent], agent)
            tickets[7].comments = [HelpDesk.Comment("c")]
            try await db.save(tickets)
            _ = probe.take()
            let ticket = try expect(
                some: try await db.find(HelpDesk.Ticket.self, key: tickets[7].id ?? 0), "the ticket")
            try expect(probe.take().count <= 6, "A ticket takes more statements than it has relations.")
            try expect(ticket.organisation?.name, equals: "o", "the organisation, to which it refers")
            try expect(ticket.labels == ["l"] && ticket.watchers.count == 1, "What the ticket holds was not loaded.")
            try expect(ticket.assignee?.name, equals: "a", "the assignee")
            try expect(ticket.isLoaded(\.comments), equals: false, "whether the comments came with the ticket")
            let found = try expect(some: ticket.organisation, "the organisation")
            try expect(
                found.tickets.isEmpty && !found.isLoaded(\.tickets), "The tickets of an organisation were loaded.")
            try await expect(.notLoaded, from: "comments that were not loaded") { _ = try ticket.loaded(\.comments) }
            try await db.loadRelation(\.comments, of: [ticket])
            try expect(try ticket.loaded(\.comments).map(\.text), equals: ["c"], "the comments, once they are loaded")
            let whole = try await db.find(
                HelpDesk.Organisation.self, key: organisation.id ?? 0, including: ["tickets.comments"])
            try expect(whole?.tickets.count, equals: 50, "the tickets that a query asked for")
            try expect(whole?.tickets[7].comments.count, equals: 1, "their comments")
            // A comment of a ticket is added by the reference that it holds, without the others.
            let comment = HelpDesk.Comment("d", on: found.tickets.first ?? ticket)
            try await db.save(comment)
            try expect(ticket.comments.map(\.text), equals: ["c", "d"], "the comments, with the new one")
            // What an object has is there after a reload, and what it has not is not.
            _ = try await db.sql("INSERT INTO desk_comment (text, ticket_id) VALUES ('e', \(ticket.id ?? 0))").execute()
            try await db.reload(ticket)
            try expect(
                try ticket.loaded(\.comments).map(\.text), equals: ["c", "d", "e"], "the comments after a reload")
            try expect(ticket.organisation?.isLoaded(\.tickets), equals: false, "whether a reload loads the others")
            for ticket in tickets + [ticket] + (whole?.tickets ?? []) {
                (ticket.organisation, ticket.comments, ticket.watchers, ticket.assignee) = (nil, [], [], nil)
            }
            organisation.tickets = []
        },
        graph(
            "rel-4.page-by-one-statement", "REL-4",
            "A page asks once for its rows, and for what they lead to, and its cursor leads on"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(HelpDesk.Comment.self) { probe.attach(to: &$0) }
            let organisation = HelpDesk.Organisation("o")
            let tickets = ["c", "a", "b", "a", "d"].map { HelpDesk.Ticket($0, of: organisation) }
            for ticket in tickets { ticket.labels = [ticket.title] }
            try await db.save(tickets)
            let query = db.query(HelpDesk.Ticket.self).where { $0.organisation.name == "o" }
                .order { [$0.title.ascending] }
            _ = try await query.page(size: 1)  // what is asked once for each type
            _ = probe.take()
            var (titles, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await query.page(size: 2, after: cursor)
                try expect(probe.take().count, equals: 4, "the statements: rows, watchers, organisations, labels")
                try expect(page.objects.allSatisfy { $0.labels == [$0.title] }, "A ticket lacks its label.")
                titles += page.objects.map(\.title)
                cursor = page.next
                for ticket in page.objects { ticket.organisation = nil }
            } while cursor != nil
            try expect(titles, equals: ["a", "a", "b", "c", "d"], "the tickets of all pages")
            let narrow = try await query.properties(\.title).depth(0).page(size: 3)
            try expect(probe.take().count, equals: 1, "the statements of a page of titles")
            try expect(narrow.objects.map(\.title), equals: ["a", "a", "b"], "the titles of a page")
            try expect(narrow.next != nil && !narrow.objects[0].isLoaded(\.labels), "More was loaded than asked for.")
            for ticket in tickets { ticket.organisation = nil }
        },
    ]
}
