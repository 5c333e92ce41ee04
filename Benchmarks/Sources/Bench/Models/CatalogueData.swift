import Floor

/// The arrays of the floor's catalogue as Swift sees them.
extension FloorCatalogue {
    var allPackages: UnsafeMutableBufferPointer<FloorPackage> {
        UnsafeMutableBufferPointer(start: packages, count: Int(package_count))
    }

    var allMaintainers: UnsafeMutableBufferPointer<FloorMaintainer> {
        UnsafeMutableBufferPointer(start: maintainers, count: Int(maintainer_count))
    }

    /// Which of the sections a package is in.
    func sectionNumber(of package: FloorPackage) -> Int {
        sections.values.map { $0.distance(to: package.section) } ?? 0
    }

    /// Which of the maintainers takes care of a package.
    func maintainerNumber(of package: FloorPackage) -> Int {
        maintainers.map { $0.distance(to: package.maintainer) } ?? 0
    }

    /// Which of the packages are linked to.
    func packageNumbers(_ links: FloorPackageLinks) -> [Int] {
        UnsafeBufferPointer(start: links.values, count: Int(links.count)).map { target in
            packages.map { $0.distance(to: target) } ?? 0
        }
    }
}

extension FloorTexts {
    var strings: [String] { UnsafeBufferPointer(start: values, count: Int(count)).map { String($0) } }
}
