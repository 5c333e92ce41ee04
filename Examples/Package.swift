// swift-tools-version: 6.2

import PackageDescription

/// Upcoming features that every target is compiled with, as in Holdfast itself.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

if Context.environment["HOLDFAST_WARNINGS_AS_ERRORS"] == "1" { settings.append(.treatAllWarnings(as: .error)) }

// Programs that people run. A package of its own, so that nobody who depends on Holdfast builds them. Their tests are
// those of Holdfast's package, with which they are built once.
let package = Package(
    name: "holdfast-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // Apart from the program, so that tests can import it.
        .target(
            name: "CatalogExample",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastPostgres", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "catalog",
            dependencies: ["CatalogExample", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
    ]
)
