// swift-tools-version: 6.2

import PackageDescription

/// Upcoming features that every target is compiled with, as in Holdfast itself.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

if Context.environment["HOLDFAST_WARNINGS_AS_ERRORS"] == "1" { settings.append(.treatAllWarnings(as: .error)) }

let core: Target.Dependency = .product(name: "Holdfast", package: "holdfast")
let sqlite: Target.Dependency = .product(name: "HoldfastSQLite", package: "holdfast")
let postgres: Target.Dependency = .product(name: "HoldfastPostgres", package: "holdfast")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// Programs that the scripts in this folder run. A package of its own, so that nobody who depends on Holdfast builds
// them. Ledger/FaultyProxy and Fuzz/FuzzInputs are links to modules that Holdfast's own tests use as well: as products
// they would be everyone's.
let package = Package(
    name: "holdfast-integration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.11.0"),
    ],
    targets: [
        // Started many times at the same time on an empty database, by Integration/fleet.
        .executableTarget(
            name: "fleet", dependencies: [core, sqlite, postgres], path: "Sources/Fleet", swiftSettings: settings),
        // Two tenants behind one pooler, for Integration/pooler.
        .executableTarget(
            name: "tenants", dependencies: [core, postgres], path: "Sources/Tenants", swiftSettings: settings),
        // Graphs of unusual shapes and sizes, for Integration/graphs.
        .executableTarget(
            name: "graphs", dependencies: [core, sqlite, postgres, arguments], path: "Sources/Graphs",
            swiftSettings: settings),
        // A ledger under faults, for Integration/ledger.
        .executableTarget(
            name: "ledger", dependencies: [core, sqlite, postgres, arguments], path: "Sources/Ledger",
            swiftSettings: settings),
        // One program in twenty versions, for Integration/upgrade.
        .executableTarget(
            name: "upgrade", dependencies: [core, sqlite, postgres, arguments], path: "Sources/Upgrade",
            swiftSettings: settings),
        // Processes that write and processes that watch, for Integration/changes.
        .executableTarget(
            name: "changes", dependencies: [core, sqlite, postgres, arguments, logging], path: "Sources/Changes",
            swiftSettings: settings),
        // Objects that expire while others read and write, for Integration/expiry.
        .executableTarget(
            name: "expiry", dependencies: [core, sqlite, postgres, arguments], path: "Sources/Expiry",
            swiftSettings: settings),
        // Texts that nobody would write, for Integration/fuzz.
        .executableTarget(
            name: "fuzz", dependencies: [core, sqlite, postgres, arguments], path: "Sources/Fuzz",
            swiftSettings: settings),
    ]
)
