import Foundation
import Holdfast

// The classes of a program, version by version: the number of a name is the version since which a class is as it is.

enum Account {
    @Table("account") final class Since1 {
        var id: Int64?
        var name: String = ""
        var amount: Int16 = 0
        var ratio: Float = 0
        var next: Since1?
        var entries: [Entry.Since1] = []
    }

    /// Has a note.
    @Table("account") final class Since2 {
        var id: Int64?
        var name: String = ""
        var amount: Int16 = 0
        var ratio: Float = 0
        var next: Since2?
        var entries: [Entry.Since1] = []
        var note: String?
    }

    /// Has a wider amount.
    @Table("account") final class Since3 {
        var id: Int64?
        var name: String = ""
        var amount: Int32 = 0
        var ratio: Float = 0
        var next: Since3?
        var entries: [Entry.Since1] = []
        var note: String?
    }

    /// Calls its name a title.
    @Table("account") final class Since4 {
        var id: Int64?
        @Column(renamedFrom: "name") var title: String = ""
        var amount: Int32 = 0
        var ratio: Float = 0
        var next: Since4?
        var entries: [Entry.Since1] = []
        var note: String?
    }

    /// Has an index on its title.
    @Table("account") final class Since5 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int32 = 0
        var ratio: Float = 0
        var next: Since5?
        var entries: [Entry.Since1] = []
        var note: String?
    }

    /// Has tags.
    @Table("account") final class Since6 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int32 = 0
        var ratio: Float = 0
        var next: Since6?
        var entries: [Entry.Since1] = []
        var note: String?
        var tags: [String] = []
    }

    /// Has wider numbers.
    @Table("account") final class Since7 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since7?
        var entries: [Entry.Since1] = []
        var note: String?
        var tags: [String] = []
    }

    /// Is a customer.
    @Table("customer", renamedFrom: "account") final class Since8 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since8?
        var entries: [Entry.Since1] = []
        var note: String?
        var tags: [String] = []
    }

    /// Has entries with a body.
    @Table("customer", renamedFrom: "account") final class Since9 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since9?
        var entries: [Entry.Since9] = []
        var note: String?
        var tags: [String] = []
    }

    /// Must have a note.
    @Table("customer", renamedFrom: "account") final class Since10 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since10?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        var tags: [String] = []
    }

    /// Is in a region.
    @Table("customer", renamedFrom: "account") final class Since11 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since11?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        var tags: [String] = []
        var region: Region?
    }

    /// Calls its tags labels.
    @Table("customer", renamedFrom: "account") final class Since12 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        var next: Since12?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
    }

    /// Takes the next one with it when it is deleted.
    @Table("customer", renamedFrom: "account") final class Since13 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        @Relation(deleteRule: .cascade) var next: Since13?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
    }

    /// Has a code, which a migration gives.
    @Table("customer", renamedFrom: "account") final class Since14 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        @Relation(deleteRule: .cascade) var next: Since14?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        var code: String?
    }

    /// Shares its code with no other.
    @Table("customer", renamedFrom: "account") final class Since15 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        var ratio: Double = 0
        @Relation(deleteRule: .cascade) var next: Since15?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        @Unique var code: String?
    }

    /// Has no ratio.
    @Table("customer", renamedFrom: "account") final class Since16 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Int64 = 0
        @Relation(deleteRule: .cascade) var next: Since16?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        @Unique var code: String?
    }

    /// Has a decimal amount.
    @Table("customer", renamedFrom: "account") final class Since17 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Decimal = 0
        @Relation(deleteRule: .cascade) var next: Since17?
        var entries: [Entry.Since9] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        @Unique var code: String?
    }

    /// Has postings, which it owns.
    @Table("customer", renamedFrom: "account") final class Since18 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Decimal = 0
        @Relation(deleteRule: .cascade) var next: Since18?
        @Relation(deleteRule: .cascade) @Column(renamedFrom: "entries") var postings: [Posting] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        @Unique var code: String?
    }

    /// Lets the next one be, and has an index of two columns.
    @Table("customer", renamedFrom: "account", indexes: [.index("title", "amount")]) final class Since20 {
        var id: Int64?
        @Indexed @Column(renamedFrom: "name") var title: String = ""
        var amount: Decimal = 0
        var next: Since20?
        @Relation(deleteRule: .cascade) @Column(renamedFrom: "entries") var postings: [Posting] = []
        var note: String = "none"
        @Column(renamedFrom: "tags") var labels: [String] = []
        var region: Region?
        @Unique var code: String?
    }
}

enum Entry {
    @Table("entry") final class Since1 {
        var id: Int64?
        var text: String = ""
        var isOpen: Bool?
    }

    /// Calls its text a body.
    @Table("entry") final class Since9 {
        var id: Int64?
        @Column(renamedFrom: "text") var body: String = ""
        var isOpen: Bool?
    }
}

@Table("posting", renamedFrom: "entry") final class Posting {
    var id: Int64?
    @Column(renamedFrom: "text") var body: String?
    var isOpen: Bool?
}

@Table("region") final class Region {
    @PrimaryKey var code: String = ""
    var name: String = ""
}
