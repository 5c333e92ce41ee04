import CSQLite
@_spi(Driver) import Holdfast

/// The result of a call into the library that was not a success.
struct ResultCode: Error, Equatable {
    /// The extended result code.
    let code: Int32
    /// The library's own words, which may quote data.
    let message: String
    /// The error that a function of the program threw, in place of the library's words.
    var thrown: DatabaseError? = nil

    // What the library has no code for; negative, as its own are not.
    /// The database is not encoded as UTF-8.
    static let foreignEncoding: Int32 = -1
    /// The file system can't have a write-ahead log.
    static let noWriteAheadLog: Int32 = -2

    init(_ code: Int32, _ message: String, thrown: DatabaseError? = nil) {
        self.code = code
        self.message = message
        self.thrown = thrown
    }

    static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.message == right.message }

    /// The result where a run was stopped.
    static let interrupted = ResultCode(SQLITE_INTERRUPT, "interrupted")

    /// Whether another connection held a lock for the moment, so that the same may work later.
    var isBusy: Bool {
        switch code & 0xff {
        case SQLITE_BUSY: code != ExtendedCode.busySnapshot
        case SQLITE_PROTOCOL: true
        default: false
        }
    }
}

/// The extended result codes that mean something of their own here.
///
/// The header has them in a form that Swift can't import.
enum ExtendedCode {
    static let busySnapshot = SQLITE_BUSY | 2 << 8
    static let readOnlyRecovery = SQLITE_READONLY | 1 << 8
    static let cannotLockReadOnly = SQLITE_READONLY | 2 << 8
    static let moved = SQLITE_READONLY | 4 << 8
    static let cannotInitializeReadOnly = SQLITE_READONLY | 5 << 8
    static let readOnlyDirectory = SQLITE_READONLY | 6 << 8
    static let noMemoryForFile = SQLITE_IOERR | 12 << 8
    static let check = SQLITE_CONSTRAINT | 1 << 8
    static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
    static let notNull = SQLITE_CONSTRAINT | 5 << 8
    static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    static let trigger = SQLITE_CONSTRAINT | 7 << 8
    static let unique = SQLITE_CONSTRAINT | 8 << 8
    static let rowid = SQLITE_CONSTRAINT | 10 << 8
    static let datatype = SQLITE_CONSTRAINT | 12 << 8
}
