import Foundation

/// A link to a page, taken apart where its query begins and ends.
struct PageLink {
    private let path: Substring
    private let items: [Substring]
    private let fragment: Substring

    /// - Parameter parameter: The parameter that is left out.
    init(_ link: String, without parameter: String) {
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        fragment = link[end...]
        guard let start = link[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) else {
            (path, items) = (link[..<end], [])
            return
        }
        path = link[..<start]
        let query = link[link.utf8.index(after: start)..<end]
        items = query.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }.filter { item in
            let name = Substring(item.utf8.prefix { $0 != UInt8(ascii: "=") })
            return name != parameter && name.removingPercentEncoding != parameter
        }
    }

    /// The link with one more parameter.
    ///
    /// - Parameter item: Its name and value, as they are in a link.
    func text(adding item: String? = nil) -> String {
        let items = items + (item.map { [$0[...]] } ?? [])
        return "\(path)\(items.isEmpty ? "" : "?")\(items.joined(separator: "&"))\(fragment)"
    }
}
