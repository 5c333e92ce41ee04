extension Duration {
    /// The whole nanoseconds; at most 2^63 - 1, which are 292 years.
    var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
