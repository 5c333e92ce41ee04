/// A change of an array, made the same way of arrays with different elements.
enum ArrayEdit {
    case insert(at: Int, pick: Int)
    case append(picks: [Int])
    case remove(at: Int)
    case move(from: Int, to: Int)
    case replace(at: Int, pick: Int)
    case duplicate(at: Int, to: Int)
    case reverse
    case removeAll

    /// A change that an array of `count` elements can take.
    static func random(count: Int, picks: Int, using generator: inout SplitMix64) -> ArrayEdit {
        func pick() -> Int { Int.random(in: 0..<picks, using: &generator) }
        func place() -> Int { Int.random(in: 0..<count, using: &generator) }
        let end = Int.random(in: 0...count, using: &generator)
        guard count > 0 else { return .append(picks: [pick(), pick(), pick()]) }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5: return .insert(at: end, pick: pick())
        case 5..<7: return .append(picks: [pick(), pick()])
        case 7..<11: return .remove(at: place())
        case 11..<14: return .move(from: place(), to: place())
        case 14..<16: return .replace(at: place(), pick: pick())
        case 16..<18: return .duplicate(at: place(), to: end)
        case 18: return .reverse
        default: return count > 12 ? .removeAll : .remove(at: place())
        }
    }

    /// Makes the change, with the elements of `pool` as picks.
    func apply<Element>(to array: inout [Element], pool: [Element]) {
        switch self {
        case .insert(let place, let pick): array.insert(pool[pick], at: place)
        case .append(let picks): array += picks.map { pool[$0] }
        case .remove(let place): array.remove(at: place)
        case .move(let from, let to): array.insert(array.remove(at: from), at: to)
        case .replace(let place, let pick): array[place] = pool[pick]
        case .duplicate(let place, let to): array.insert(array[place], at: to)
        case .reverse: array.reverse()
        case .removeAll: array = []
        }
    }
}
