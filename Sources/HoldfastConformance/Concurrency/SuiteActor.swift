/// Where cases run several operations at the same time on objects that are not Sendable.
@globalActor
actor SuiteActor {
    static let shared = SuiteActor()
}
