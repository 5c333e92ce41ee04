// swift-tools-version: 6.2

import PackageDescription

// A package of somebody else's, which has nothing but Holdfast's public interface, and one engine of the two. It builds
// Holdfast without spans and metrics, as the other one does, so that Holdfast is built once for both.
let package = Package(
    name: "PostgresOnly",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "PostgresOnly",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastPostgres", package: "holdfast"),
            ]
        )
    ]
)
