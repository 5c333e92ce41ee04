public final class Transaction: Sendable {}
