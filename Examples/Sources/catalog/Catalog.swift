import ArgumentParser
import CatalogExample

/// The program `catalog`; what it does is in CatalogExample, where tests can reach it.
@main struct Catalog {
    static func main() async { await CatalogCommand.main() }
}
