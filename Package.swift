// swift-tools-version: 6.2

import PackageDescription

/// What every target of ours is compiled with.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "holdfast",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Holdfast", targets: ["Holdfast"]),
        .library(name: "HoldfastSQLite", targets: ["HoldfastSQLite"]),
        .library(name: "HoldfastPostgres", targets: ["HoldfastPostgres"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    ],
    targets: [
        .target(
            name: "Holdfast",
            dependencies: [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]
        ),
        .target(name: "HoldfastSQLite", dependencies: ["Holdfast", "CSQLite"], swiftSettings: settings),
        .systemLibrary(
            name: "CPostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(name: "HoldfastPostgres", dependencies: ["Holdfast", "CPostgres"], swiftSettings: settings),
        .testTarget(name: "HoldfastTests", dependencies: ["Holdfast"], swiftSettings: settings),
        .testTarget(name: "HoldfastSQLiteTests", dependencies: ["HoldfastSQLite"], swiftSettings: settings),
        .testTarget(name: "HoldfastPostgresTests", dependencies: ["HoldfastPostgres"], swiftSettings: settings),
    ]
)
