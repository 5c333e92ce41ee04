import Foundation
import Holdfast

/// A class whose changes are logged, with an array and a reference.
@Table(log: true)
final class LoggedPage {
    var id: Int64?
    var title: String
    var rank: Int
    var tags: [String]
    var parent: LoggedPage?

    init(_ title: String, rank: Int = 0, tags: [String] = [], parent: LoggedPage? = nil) {
        (self.title, self.rank, self.tags, self.parent) = (title, rank, tags, parent)
    }
}

/// A composite key, and deletion with the owner.
@Table(log: true)
struct LoggedPart: Equatable {
    @PrimaryKey var owner: String
    @PrimaryKey var number: Int64
    var size: Double
}

/// Values of all types, of which the log keeps what they were.
@Table(log: .oldValues)
struct LoggedValues: Equatable {
    var id: UUID
    var flag: Bool
    var small: Int16
    var large: Int64
    var single: Float
    var double: Double
    var amount: Decimal
    var text: String
    var data: Data
    var at: Date
    var other: UUID
    var note: String?
}

/// Values that not every text holds, of which the log keeps what they were.
@Table(log: .oldValues)
struct LoggedExtremes {
    var id: Int64
    var double: Double
    var single: Float = 0
    var detail: JSON = [:]
    var text: String = ""
    var at: Date?
}

/// A table before and after changes of its class.
enum LoggedVersions {
    @Table("logged_version")
    struct Plain {
        var id: Int64
        var title: String
    }

    @Table("logged_version", log: true)
    struct First {
        var id: Int64
        var title: String
    }

    @Table("logged_version", log: true)
    struct Second {
        var id: Int64
        @Column(renamedFrom: "title") var name: String
        var rank: Int = 0
    }

    @Table("logged_memo", renamedFrom: "logged_version", log: true)
    struct Third {
        var id: Int64
        var rank: Int = 0
        var text: String?
    }

    @Table("logged_memo")
    struct Fourth {
        var id: Int64
        var text: String?
    }

    @Table(readOnly: true, log: true)
    struct View {
        var id: Int64
    }
}

/// A table before and after new names of all that the log names.
enum LoggedNames {
    @Table("logged_draft", log: .oldValues)
    struct Old {
        var id: Int64
        var title: String
        var note: String = ""
        var pageTags: [String]
    }

    @Table("logged_article", renamedFrom: "logged_draft", log: .oldValues)
    struct New {
        var id: Int64
        @Column(renamedFrom: "title") var headline: String
        var note: String = ""
        @Column(renamedFrom: "pageTags") var labels: [String]
    }
}
