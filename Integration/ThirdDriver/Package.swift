// swift-tools-version: 6.2

import PackageDescription

// A driver of somebody else's, who has nothing but Holdfast's public interface and the article Writing a driver.
let package = Package(
    name: "ThirdDriver",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../..")],
    targets: [
        .systemLibrary(
            name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(
            name: "PlainSQLite", dependencies: ["SystemSQLite", .product(name: "Holdfast", package: "holdfast")]),
        .executableTarget(
            name: "ThirdDriver",
            dependencies: ["PlainSQLite", .product(name: "HoldfastConformance", package: "holdfast")]),
    ]
)
