import DequeModule

/// A first-in, first-out queue that members may also leave from the middle, each in constant time.
///
/// Tickets are consecutive numbers, so a member's position is its ticket minus that of the head. A member that
/// leaves from the middle is replaced by nil, or the positions would shift. Nils are dropped once they come to the
/// head; as every member leaves within the checkout timeout, they do.
struct WaiterQueue<Member> {
    private var members = Deque<Member?>()
    private var headTicket = 0

    /// The number of members that have not left.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The member that has waited for longest: the first is never nil.
    var first: Member? { members.first ?? nil }

    /// Lets `member` wait behind all others.
    ///
    /// - Returns: The ticket with which it can leave early.
    mutating func append(_ member: Member) -> Int {
        members.append(member)
        count += 1
        return headTicket + members.count - 1
    }

    mutating func popFirst() -> Member? { remove(headTicket) }

    /// Takes out the member with `ticket`; nil if it has left before.
    mutating func remove(_ ticket: Int) -> Member? {
        let position = ticket - headTicket
        guard members.indices.contains(position), let member = members[position] else { return nil }
        members[position] = nil
        count -= 1
        while case .some(.none) = members.first {
            members.removeFirst()
            headTicket += 1
        }
        return member
    }
}

extension WaiterQueue: Sendable where Member: Sendable {}
