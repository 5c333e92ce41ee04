// The examples of the article "Transactions".

import Holdfast

func transfer(db: Database) async throws {
    // snippet.transfer
    let from = Account(owner: "Ada", balance: 100)
    let to = Account(owner: "Grace", balance: 0)
    try await db.save([from, to])

    try await db.transaction { tx in
        from.balance -= 30
        to.balance += 30
        try await tx.save([from, to])
    }
    // snippet.end
}

func credit(db: Database) async throws {
    // snippet.retries
    try await db.transaction { tx in
        guard let account = try await tx.find(Account.self, key: 1) else { return }
        account.balance += 1
        try await tx.save(account)
    }
    // snippet.end
}

func withdraw(db: Database) async throws {
    // snippet.conditional-update
    let left = try await db.query(Account.self)
        .where { $0.id == 1 && $0.balance >= 30 }
        .update(returning: { $0.balance }) { $0.balance -= 30 }
    if left.isEmpty { print("not enough") }
    // UPDATE "account" SET "balance" = … WHERE "account"."id" = $2 AND "account"."balance" >= $3 RETURNING …
    // snippet.end
}

func saveTwice(db: Database) async throws {
    // snippet.nesting
    try await db.transaction { tx in
        let account = Account(owner: "Edsger", balance: 0)
        try await tx.save(account)
        do {
            try await tx.transaction { nested in
                try await nested.save(Account(owner: "Edsger", balance: 5))
            }
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            print("The first account is still part of the transaction.")
        }
    }
    // snippet.end
}

// snippet.atomic-function
func register(_ owner: String, in context: some DatabaseContext) async throws {
    try await context.transaction { tx in
        try await tx.save(Account(owner: owner, balance: 0))
    }
}
// snippet.end

func registerTwo(db: Database) async throws {
    // snippet.atomic-function-calls
    try await register("Ada", in: db)
    try await db.transaction { tx in try await register("Grace", in: tx) }
    // snippet.end
}

func readTotal(db: Database) async throws {
    // snippet.reading
    let (accounts, total) = try await db.read { tx in
        (try await tx.count(Account.self), try await tx.fetch(Account.self).reduce(0) { $0 + $1.balance })
    }
    print(accounts, total)
    // snippet.end
}

func countTwice(db: Database) async throws {
    // snippet.child-tasks
    try await db.transaction { tx in
        async let count = tx.count(Account.self)
        async let sum = tx.sql("SELECT count(*) FROM \(Account.self)").fetch(as: Int.self)
        print(try await count, try await sum)
    }
    // snippet.end
}

func moveFromRichest(db: Database) async throws {
    // snippet.identity-map
    try await db.transaction { tx in
        let objects = IdentityMap(tx)
        let account = try await objects.find(Account.self, key: 1)
        let richest = try await objects.first(tx.query(Account.self).order(\.balance, .descending))
        richest?.balance -= 30  // if both are one row, they are one instance, and it has both changes
        account?.balance += 30
        if let account, let richest { try await tx.save([account, richest]) }
    }
    // snippet.end
}

// What the article takes as known.

@Table
final class Account {
    var id: Int64?
    @Unique var owner: String
    var balance: Int

    init(owner: String, balance: Int) {
        self.owner = owner
        self.balance = balance
    }
}
