// swift-tools-version: 6.2

import PackageDescription

// A package of somebody else's, who tests with HoldfastTesting and has nothing but Holdfast's public interface.
let package = Package(
    name: "UserTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../..")],
    targets: [
        .testTarget(
            name: "UserTests",
            dependencies: [
                .product(name: "Holdfast", package: "holdfast"),
                .product(name: "HoldfastPostgres", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "HoldfastTesting", package: "holdfast"),
            ])
    ]
)
