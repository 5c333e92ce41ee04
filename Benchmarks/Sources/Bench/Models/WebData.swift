import Floor

/// The floor's web as Swift sees it: nodes by their index.
extension FloorWeb {
    var nodeCount: Int { Int(count) }

    func number(of index: Int) -> Int { nodes.map { Int($0[index].number) } ?? 0 }

    /// Where the links of a node lead.
    func links(of index: Int) -> [Int] {
        guard let nodes else { return [] }
        return withUnsafeBytes(of: nodes[index].links) { bytes in
            bytes.bindMemory(to: UnsafeMutablePointer<FloorNode>?.self).prefix(Int(nodes[index].link_count)).map {
                $0.map { nodes.distance(to: $0) } ?? 0
            }
        }
    }
}
