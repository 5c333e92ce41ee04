/// A connection that is lent for one statement.
struct ConnectionLoan {
    let connection: any DriverConnection
    let slot: Int
    /// The time at which it was lent; the time at which it is given back, if that is much later.
    var time: Duration
}
