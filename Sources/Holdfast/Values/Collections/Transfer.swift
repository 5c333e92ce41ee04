/// Objects on their way from the thread that decoded them to their caller.
///
/// The proof: a mapping's `decode` is `@Sendable` and reads a row that can't be kept, so what it makes of it can be
/// reached from nowhere else.
struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}
