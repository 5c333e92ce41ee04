// swift-tools-version: 6.2

import PackageDescription

// A package of somebody else's, which has nothing but Holdfast's public interface, and one engine of the two. It builds
// Holdfast without spans and metrics.
let package = Package(
    name: "SQLiteOnly",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "SQLiteOnly",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ],
            // Each file is compiled by itself: the hardest case for macros that name types of other files.
            swiftSettings: [.unsafeFlags(["-disable-batch-mode"])]
        )
    ]
)
