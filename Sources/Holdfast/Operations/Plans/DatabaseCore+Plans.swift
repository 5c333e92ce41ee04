import Synchronization

extension DatabaseCore {
    /// The statements of `Model`, made at its first use.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func plan<Model: TableObject>(for model: Model.Type = Model.self) throws -> MappingPlan<Model> {
        let key = ObjectIdentifier(Model.self)
        // Not asked of the runtime, which takes longer than the rest: what a key holds is known.
        if let plan = plans.withLock({ $0[key] }) { return unsafeDowncast(plan, to: MappingPlan<Model>.self) }
        let plan = try MappingPlan<Model>(dialect: dialect)
        if plan.description.expiry != nil { sweeper.add(Model.self, to: self) }
        return plans.withLock { plans in
            if let other = plans[key] { return unsafeDowncast(other, to: MappingPlan<Model>.self) }
            plans[key] = plan
            return plan
        }
    }
}
