import DequeModule

/// A first-in, first-out queue that members may also leave from the middle, each in constant time.
///
/// Tickets are consecutive numbers, so a member's position is its ticket minus that of the head. Who leaves from
/// the middle leaves an empty place behind, or the positions would shift. Empty places are dropped once they come
/// to the head; as every member leaves within the checkout timeout, they do.
struct WaiterQueue<Member> {
    private var places = Deque<Member?>()
    private var headTicket = 0

    /// The number of members; empty places do not count.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The member that has waited for longest: the first place is never an empty one.
    var first: Member? { places.first ?? nil }

    /// Lets `member` wait behind all others.
    ///
    /// - Returns: The ticket with which it can leave early.
    mutating func append(_ member: Member) -> Int {
        places.append(member)
        count += 1
        return headTicket + places.count - 1
    }

    mutating func popFirst() -> Member? { remove(headTicket) }

    /// Takes out the member with `ticket`; nil if it has left before.
    mutating func remove(_ ticket: Int) -> Member? {
        let position = ticket - headTicket
        guard places.indices.contains(position), let member = places[position] else { return nil }
        places[position] = nil
        count -= 1
        while case .some(.none) = places.first {
            places.removeFirst()
            headTicket += 1
        }
        return member
    }
}

extension WaiterQueue: Sendable where Member: Sendable {}
