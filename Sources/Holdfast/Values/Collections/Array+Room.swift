extension Array {
    /// Makes room for some more elements, and for as many as there are if that is more.
    ///
    /// `reserveCapacity` makes room for just so many: where elements come by the portion, and it is called for each,
    /// all are copied each time.
    mutating func makeRoom(for additional: Int) {
        guard count + additional > capacity else { return }
        reserveCapacity(Swift.max(count + additional, 2 * count))
    }
}
