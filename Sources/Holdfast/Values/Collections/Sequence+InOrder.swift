extension Sequence {
    /// The elements in an order, where there are few of them: `sorted(by:)` is compiled for each type of elements, to
    /// three kilobytes (decision 0069).
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}
