/// A large value, which a struct holds as one reference and shares with its copies until one of them is changed.
///
/// To copy a struct of a dozen fields is code in each place where one is passed on (decision 0069).
struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {  // a box that several refer to is never changed
    private final class Box {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    @inline(never)  // once, and not in each place that makes one
    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
