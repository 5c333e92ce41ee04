// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with, as in the package that is measured.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "holdfast-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "bench", targets: ["Bench"]),
        // Loaded by LD_PRELOAD, so it has to be a file of its own.
        .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
    ],
    dependencies: [
        .package(name: "holdfast", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "SystemSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .systemLibrary(
            name: "SystemPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // What the engines' own C libraries take for the same work, and the data that everybody works on.
        .target(name: "Floor", dependencies: ["SystemSQLite", "SystemPostgres"]),
        .target(name: "AllocationCounter"),
        // The smallest programs, of which Scripts/bench build tells the sizes.
        .executableTarget(
            name: "OneEngine",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "BothEngines",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastPostgres", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "Floor",
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastDocuments", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "HoldfastPostgres", package: "holdfast"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
    ]
)
