// swift-tools-version: 6.2

import PackageDescription

// A program with ten models, to measure what it takes to build one. Scripts/bench copies it and depends on the checkout
// that HOLDFAST_CHECKOUT names.
let package = Package(
    name: "build-cost",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: Context.environment["HOLDFAST_CHECKOUT"] ?? "../..")],
    targets: [
        .target(name: "Models", dependencies: [.product(name: "Holdfast", package: "holdfast")]),
        .executableTarget(
            name: "Program",
            dependencies: [
                "Models", .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ]),
    ]
)
