/// The objects whose `afterCommit` one transaction has called.
///
/// An object can be saved, and deleted, several times in a transaction, which is still committed once. The effects of
/// the transaction keep all of them alive, so no identity is used twice.
struct CommitCalls {
    private var called: Set<ObjectIdentifier> = []

    /// Calls `afterCommit` of those models that are values, or objects for which it was not called.
    ///
    /// - Parameter afterCommit: The hook.
    mutating func call<Model>(_ afterCommit: (Model) -> Void, of models: [Model]) {
        guard Model.self is AnyObject.Type else { return models.forEach(afterCommit) }
        for model in models where called.insert(ObjectIdentifier(model as AnyObject)).inserted {
            afterCommit(model)
        }
    }
}
