import Foundation
import Testing

@testable import HoldfastTesting

@Suite struct OwnedDirectoryTests {
    @Test func `directories whose owners are gone are removed, and no others`() throws {
        let files = FileManager.default
        let place = files.temporaryDirectory.appendingPathComponent("holdfast-place-\(UUID().uuidString)").path
        try files.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? files.removeItem(atPath: place) }
        for (name, lock) in [("holdfast-testing-gone", "owned"), ("holdfast-testing-new", "new"), ("other", "owned")] {
            try files.createDirectory(atPath: "\(place)/\(name)", withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: "\(place)/\(name)/\(lock)"))
        }
        let first = try OwnedDirectory(in: place)
        let second = try OwnedDirectory(in: place)
        let names = try files.contentsOfDirectory(atPath: place)
        #expect(names.count == 4)
        #expect(!names.contains("holdfast-testing-gone"))
        #expect(files.fileExists(atPath: first.path))
        #expect(files.fileExists(atPath: second.path))
    }
}
