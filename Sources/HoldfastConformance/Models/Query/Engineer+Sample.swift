import Foundation
import Holdfast

extension Engineer {
    /// Engineers of all sorts, the same each time: nil, empty, equal, of both signs, and with text that patterns could
    /// misread.
    static func sample() -> [Engineer] {
        let names = [
            "Ada", "ada", "Änne", "Zoë", "Zoe", "Smith", "Smyth", "smith", "100%", "under_score", "back\\slash",
            "*star*",
            "[bracket]", "O'Hara", "quote\"d", "日本", "𝔘nicode", "é", "e\u{301}", "", " padded ", "a", "B", "~",
        ]
        let start = Date(timeIntervalSince1970: 1_000_000_000)
        let teams = [Team("Red"), Team("Green"), Team("blue")]
        teams[0].city = "Aachen"
        teams[1].city = "Bonn"
        var engineers: [Engineer] = []
        for (index, name) in names.enumerated() {
            let engineer = Engineer(name, age: (index * 7) % 50 + (index % 5 == 0 ? -60 : 0))
            engineer.nickname = index % 3 == 0 ? nil : names[(index * 5) % names.count]
            engineer.shoe = index % 4 == 0 ? nil : Int16(index * 3 - 20)
            engineer.height = index % 6 == 5 ? nil : 1.5 + Double(index % 7) / 10
            engineer.ratio = Float(index) / 3
            engineer.salary = Decimal(index * 1_000) / 8 - 500
            engineer.bonus = index % 2 == 0 ? nil : Decimal(string: "\(index)\(index).\(index)5") ?? 0
            engineer.rate = Decimal(index) / 4
            engineer.isActive = index % 3 != 1
            engineer.isRemote = index % 5 == 0 ? nil : index % 2 == 0
            engineer.born = index % 7 == 6 ? nil : start.addingTimeInterval(Double(index) * 43_200)
            engineer.joined = index % 4 == 3 ? nil : start.addingTimeInterval(Double(index * index) * 3_600)
            engineer.badge =
                index % 3 == 2
                ? nil : UUID(uuidString: "00000000-0000-4000-8000-0000000000\(index < 10 ? "0" : "")\(index)")
            engineer.grade = [.junior, .senior, .principal][index % 3]
            engineer.photo = index % 4 == 1 ? nil : Data((0..<index % 5).map { UInt8($0 * 60) })
            engineer.address = index % 2 == 0 ? Address(city: "Köln") : nil
            engineer.tags = Array(["x", "y", "z", "x", "Green"].prefix(index % 6))
            engineer.scores = index % 4 == 0 ? nil : Array([3, 1, 4, 1, 5].prefix(index % 5))
            engineer.team = index % 4 == 3 ? nil : teams[index % 3]
            engineer.reviews = (0..<index % 4).map { Review($0 * 30 + index) }
            for review in engineer.reviews where review.points % 2 == 0 { review.words = "of \(name)" }
            engineers.append(engineer)
        }
        for (index, engineer) in engineers.enumerated() {
            engineer.boss = index == 0 || index % 5 == 4 ? nil : engineers[(index - 1) / 2]
            for review in engineer.reviews { review.author = engineers[(index + 3) % engineers.count] }
        }
        teams[0].lead = engineers[5]
        teams[2].lead = engineers[0]
        return engineers
    }
}
