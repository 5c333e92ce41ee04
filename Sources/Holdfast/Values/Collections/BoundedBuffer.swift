import DequeModule

/// The elements that a consumer has not asked for yet: bounded, and never silent about what it dropped.
struct BoundedBuffer<Element: Sendable>: Sendable {
    let limit: Int
    /// The element that says that others are missing.
    let gap: Element
    private var elements: Deque<Element> = []
    private var hasGap = false

    init(limit: Int, gap: Element) { (self.limit, self.gap) = (max(limit, 1), gap) }

    var isEmpty: Bool { elements.isEmpty && !hasGap }

    /// Appends an element, and drops the oldest if there are too many.
    mutating func append(_ element: Element) {
        elements.append(element)
        if elements.count > limit {
            elements.removeFirst()
            hasGap = true
        }
    }

    /// Notes that elements are missing.
    mutating func appendGap() { hasGap = true }

    /// Removes and returns the next one: the gap first, since what is missing was before all that is left.
    mutating func next() -> Element? {
        if hasGap {
            hasGap = false
            return gap
        }
        return elements.popFirst()
    }
}
