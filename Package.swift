// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// Whether a variable of the environment, which only our scripts set, is 1.
func isSet(_ name: String) -> Bool { Context.environment[name] == "1" }

/// What every target of ours is compiled with.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// In CI. Not for everyone: a newer compiler may warn about more.
if isSet("HOLDFAST_WARNINGS_AS_ERRORS") { settings.append(.treatAllWarnings(as: .error)) }

let package = Package(
    name: "holdfast",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Holdfast", targets: ["Holdfast"]),
        .library(name: "HoldfastSQLite", targets: ["HoldfastSQLite"]),
        .library(name: "HoldfastPostgres", targets: ["HoldfastPostgres"]),
        .library(name: "HoldfastConfiguration", targets: ["HoldfastConfiguration"]),
        .library(name: "HoldfastServiceLifecycle", targets: ["HoldfastServiceLifecycle"]),
        .library(name: "HoldfastDocuments", targets: ["HoldfastDocuments"]),
        .library(name: "HoldfastTesting", targets: ["HoldfastTesting"]),
        .library(name: "HoldfastConformance", targets: ["HoldfastConformance"]),
        .executable(name: "holdfast", targets: ["HoldfastTool"]),
    ],
    traits: [
        // One, since SwiftPM 6.3 writes the flags of several in another order in each new build plan, and compiles all
        // of Holdfast again: https://github.com/swiftlang/swift-package-manager/issues/10525
        .trait(name: "Telemetry", description: "Spans by swift-distributed-tracing, and metrics by swift-metrics."),
        .default(enabledTraits: ["Telemetry"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        // A range, since a package graph holds one version and every macro in it must agree on that.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        // Names that someone may have meant who wrote another: for the diagnostics of macros and for errors.
        .target(name: "NearMisses", swiftSettings: settings),
        .macro(
            name: "HoldfastMacros",
            dependencies: [
                "NearMisses",
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Holdfast",
            dependencies: [
                "HoldfastMacros",
                "NearMisses",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Telemetry"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Telemetry"])),
            ],
            swiftSettings: settings
        ),
        // Apart, as each brings dependencies of its own.
        .target(
            name: "HoldfastConfiguration",
            dependencies: ["Holdfast", .product(name: "Configuration", package: "swift-configuration")],
            swiftSettings: settings),
        .target(
            name: "HoldfastServiceLifecycle",
            dependencies: ["Holdfast", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")],
            swiftSettings: settings),
        .target(name: "HoldfastDocuments", dependencies: ["Holdfast"], swiftSettings: settings),
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
        // For users' own tests. It depends on neither driver: a test names the one that it imports.
        .target(name: "HoldfastTesting", dependencies: ["Holdfast"], swiftSettings: settings),
        .target(
            name: "HoldfastConformance",
            dependencies: ["Holdfast", "HoldfastDocuments", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        // What the suite needs to know of our own engines, for the tool and for the tests.
        .target(
            name: "EngineProvisions",
            dependencies: ["HoldfastConformance", "HoldfastPostgres", "HoldfastSQLite"],
            swiftSettings: settings
        ),
        // Apart from the tool, so that tests can import it.
        .target(
            name: "HoldfastCommands",
            dependencies: [
                "EngineProvisions", "HoldfastConformance",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "HoldfastTool",
            dependencies: ["HoldfastCommands", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        // Texts that nobody would write, for tests; Integration/fuzz has a link to them.
        .target(name: "FuzzInputs", path: "Tests/FuzzInputs", swiftSettings: settings),
        // A proxy that loses answers, for tests; Integration/ledger has a link to it.
        .target(name: "FaultyProxy", path: "Tests/FaultyProxy", swiftSettings: settings),
        // Models for tests of what a module sees of another one's.
        .target(name: "OtherModule", dependencies: ["Holdfast"], path: "Tests/OtherModule", swiftSettings: settings),
        .testTarget(name: "HoldfastTests", dependencies: ["Holdfast"], swiftSettings: settings),
        .testTarget(
            name: "HoldfastQueryTests", dependencies: ["FuzzInputs", "Holdfast", "HoldfastPostgres", "HoldfastSQLite"],
            swiftSettings: settings),
        .testTarget(
            name: "HoldfastSQLiteTests", dependencies: ["HoldfastConformance", "HoldfastSQLite"],
            swiftSettings: settings),
        .testTarget(
            name: "HoldfastPostgresTests",
            dependencies: ["FaultyProxy", "FuzzInputs", "HoldfastConformance", "HoldfastPostgres"],
            swiftSettings: settings),
        .testTarget(
            name: "HoldfastTestingTests",
            dependencies: ["Holdfast", "HoldfastPostgres", "HoldfastSQLite", "HoldfastTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HoldfastCommandsTests",
            dependencies: ["HoldfastCommands", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HoldfastTelemetryTests",
            dependencies: [
                "Holdfast", "HoldfastPostgres", "HoldfastSQLite",
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Telemetry"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Telemetry"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Telemetry"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Telemetry"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HoldfastConformanceTests",
            dependencies: [
                "EngineProvisions", "Holdfast", "HoldfastConformance", "HoldfastDocuments", "HoldfastPostgres",
                "HoldfastSQLite",
                "HoldfastConfiguration", .product(name: "Configuration", package: "swift-configuration"),
                "HoldfastServiceLifecycle", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The program of the demo, which is a package of its own for whoever runs it; here for its tests.
        .target(
            name: "CatalogExample",
            dependencies: [
                "Holdfast", "HoldfastPostgres", "HoldfastSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/Sources/CatalogExample",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CatalogTests",
            dependencies: [
                "CatalogExample", "Holdfast", "HoldfastSQLite", "HoldfastTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/Tests/CatalogTests",
            swiftSettings: settings
        ),
    ]
)

// Tests that import a macro are built for the host, and with them all tests and all of Holdfast: as long as they are in
// the package, `swift build` compiles the library twice. Scripts/test asks for them.
if isSet("HOLDFAST_MACRO_TESTS") {
    package.targets.append(
        .testTarget(
            name: "HoldfastMacrosTests",
            dependencies: [
                "Holdfast",
                "HoldfastMacros",
                "HoldfastSQLite",
                "NearMisses",
                "OtherModule",
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            swiftSettings: settings
        )
    )
}

// For the documentation, and for CI's build with the lowest versions of dependencies, which lack products that the
// tests use.
if isSet("HOLDFAST_WITHOUT_TESTS") { package.targets.removeAll { $0.type == .test } }
