// swift-tools-version: 6.2

import PackageDescription

/// Upcoming features that every target is compiled with, as in Holdfast itself.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

if Context.environment["HOLDFAST_WARNINGS_AS_ERRORS"] == "1" { settings.append(.treatAllWarnings(as: .error)) }

// Programs that ask the service in Examples/Projects, as its users do.
let package = Package(
    name: "holdfast-service-load",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    ],
    targets: [
        .executableTarget(
            name: "service-load",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Sources/ServiceLoad",
            swiftSettings: settings
        )
    ]
)
