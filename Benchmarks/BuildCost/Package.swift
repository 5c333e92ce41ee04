// swift-tools-version: 6.2

import PackageDescription

// A program with ten models, to measure what it takes to build one; and modules of fifty models each, which
// Scripts/bench writes (Scripts/lib/fifty-models.awk). It copies this package, and depends on the checkout that
// HOLDFAST_CHECKOUT names.
let package = Package(
    name: "build-cost",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: Context.environment["HOLDFAST_CHECKOUT"] ?? "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "Models", dependencies: [.product(name: "Holdfast", package: "holdfast")]),
        .target(name: "Tables", dependencies: [.product(name: "Holdfast", package: "holdfast")]),
        .target(name: "Classes"),
        .target(name: "Records", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
        .executableTarget(
            name: "Program",
            dependencies: [
                "Models", .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ]),
    ]
)
