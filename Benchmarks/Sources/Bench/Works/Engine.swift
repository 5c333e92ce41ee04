import ArgumentParser

/// What databases are of.
enum Engine: String, Codable, CaseIterable, ExpressibleByArgument { case sqlite, postgres }
