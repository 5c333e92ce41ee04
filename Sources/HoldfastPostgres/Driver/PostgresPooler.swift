/// Whether a session with the server belongs to one connection, or is shared by several.
public enum PostgresPooler: Sendable, Hashable {
    /// A session belongs to one connection for as long as that is open: without a pooler, or with one in session mode.
    case session
    /// Each transaction may be run in another session of the server, as by PgBouncer with `pool_mode = transaction`.
    ///
    /// Nothing is set for the session, which others use next. The schema, the timeouts and the time zone go along with
    /// each transaction, and with each statement outside of one, in the same round trip, and end with it. Statements
    /// are not kept prepared.
    case transaction
}
