/// Calls `body` from code that is never specialized: in Swift 6.3 the optimizer crashes where it specializes what is
/// lent a noncopyable value ("Cannot initialize a nonCopyable type with a guaranteed value").
@_semantics("optimize.sil.specialize.generic.never")  // decision 0069
@inline(never)
func withoutSpecialization<Value>(_ value: inout Value, _ body: (inout Value) throws -> Void) rethrows {
    try body(&value)
}
