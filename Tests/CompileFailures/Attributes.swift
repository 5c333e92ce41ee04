// swift-format-ignore-file
import Foundation
import Holdfast

@Table struct Fine {
    @PrimaryKey @Column("key") @Indexed var id: Int64?
    @Unique @Required @Column("c", storage: .native) var code: String?
    @Indexed @Timestamp(.created) var created: Date?
    @Timestamp(TimestampKind.modified) var modified: Date
}

@Table struct Excluding {
    var id: Int64?
    @Transient @Indexed var a = 1  // expected-error: a '@Transient' property has no column: remove '@Indexed'
    @Unique @Unique var b = 1  // expected-error: '@Unique' is there already
    @Timestamp(.created) @Timestamp(.modified) var c: Date?  // expected-error: a property holds one time, of creation, of modification or of deletion
    @Timestamp(.created) var e: Date?  // expected-error: 'c' holds the created time already: remove '@Timestamp' from 'e'
    @Timestamp(.modified) var f: Int?  // expected-error: a timestamp is a date: declare 'f' as 'Date?'
    @Unique var g: [Int] = []  // expected-error: the array 'g' has a table of its own, not a column to index
}

@Table struct Versions {
    var id: Int64?
    @Version var a = 0
    @Version var b = 0  // expected-error: 'a' counts the updates already: remove '@Version' from 'b'
    @OmitIfMissing var c: String  // expected-error: 'c' is always there: make it optional, or remove '@OmitIfMissing'
}

@Table struct Expiries {
    var id: Int64?
    @Expires var a: Date?
    @Expires var b: Date?  // expected-error: 'a' holds when an object expires already: remove '@Expires' from 'b'
}

@Table struct UniqueKey {
    @PrimaryKey @Unique var key: Int64?  // expected-error: a primary key is unique as it is: remove '@Unique'
}

@Table struct ImplicitKey {
    @Unique var id: Int64?  // expected-error: 'id' is the primary key, and a primary key is unique as it is
}

@Table struct TransientKey {
    @PrimaryKey @Transient var key = 1  // expected-error: a '@Transient' property has no column: remove '@Transient'
}

@Table struct TimeKey {
    @PrimaryKey @Timestamp(.created) var key: Date  // expected-error: a primary key never changes, and a timestamp does
}

@Table struct NoColumns {
    var id: Int64?
    @Unique var computed: Int { 1 }  // expected-error: 'computed' is computed, so it has no column: remove '@Unique'
    @Column("s") static let shared = 1  // expected-error: 'shared' is static, so it has no column: remove '@Column'
    @Indexed func method() {}  // expected-error: '@Indexed' belongs on a property
}

let name = "n"
let kind = TimestampKind.created

@Table struct Arguments {
    var id: Int64?
    @Column(name) var a = 1  // expected-error: the name of a column must be a string literal without interpolation
    @Column("") var b = 1  // expected-error: the name of a column can't be empty
    @Column() var c = 1  // expected-error: '@Column' changes nothing by itself
    @Timestamp(kind) var d: Date?  // expected-error: the macro must see which time to keep: write '.created', '.modified' or '.deleted' here
}

struct NoModel {
    @Unique var a = 1  // expected-error: '@Unique' does nothing outside a model: mark the type with '@Table', or remove '@Unique'
    @PrimaryKey var b = 1  // expected-error: '@PrimaryKey' does nothing outside a model
}

extension Fine {
    @Transient static let c = 1  // expected-error: '@Transient' does nothing outside a model
}
