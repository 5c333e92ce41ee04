/// The hooks of one model, found once: nil for models without.
struct HookSet<Model>: Sendable {
    let willSave: @Sendable (inout Model) throws -> Void
    let didFetch: @Sendable (inout Model) throws -> Void
    let didSave: @Sendable (Model, Transaction) async throws -> Void
    let willDelete: @Sendable (Model, Transaction) async throws -> Void
    let didDelete: @Sendable (Model, Transaction) async throws -> Void
    let afterCommit: @Sendable (Model) -> Void

    static func ofModel() -> HookSet? {
        guard let type = Model.self as? any TableHooks.Type, type._hasHooks else { return nil }
        func hooks<Hooked: TableHooks>(of type: Hooked.Type) -> HookSet? { Hooked.hookSet as? HookSet<Model> }
        return hooks(of: type)
    }
}

extension TableHooks {
    static var hookSet: HookSet<Self> {
        HookSet(
            willSave: { try $0.willSave() },
            didFetch: { try $0.didFetch() },
            didSave: { try await $0.didSave(in: $1) },
            willDelete: { try await $0.willDelete(in: $1) },
            didDelete: { try await $0.didDelete(in: $1) },
            afterCommit: { $0.afterCommit() })
    }
}
