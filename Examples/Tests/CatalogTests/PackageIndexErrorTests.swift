import Testing

@testable import CatalogExample

@Suite struct PackageIndexErrorTests {
    private func expect(_ problem: PackageIndexError.Problem, line: Int, in text: String) {
        #expect(throws: PackageIndexError(line: line, problem: problem)) { try parse(text) }
    }

    @Test func `a line without a colon is an error`() {
        expect(.noColon, line: 6, in: stanza("a") + "Package: b\nVersion 1\n")
    }

    @Test func `a continuation of nothing is an error`() {
        expect(.continuationWithoutField, line: 1, in: " more\n" + stanza("a"))
        expect(.continuationWithoutField, line: 5, in: stanza("a") + " more\n")
    }

    @Test func `a field name with a space in it, or none, is an error`() {
        expect(.invalidFieldName("Installed Size"), line: 4, in: stanza("a", "Installed Size: 1"))
        expect(.invalidFieldName(""), line: 4, in: stanza("a", ": 1"))
    }

    @Test func `a field that is there twice is an error, in whatever case`() {
        expect(.duplicateField("VERSION"), line: 4, in: stanza("a", "VERSION: 2"))
    }

    @Test func `a package without a name, architecture or version is an error where it begins`() {
        let first = stanza("a")
        expect(.missingField("Package"), line: 5, in: first + "Version: 1\nArchitecture: all\n")
        expect(.missingField("Architecture"), line: 5, in: first + "Package: b\nVersion: 1\n")
        expect(.missingField("Version"), line: 5, in: first + "Package: b\nArchitecture: all\n")
    }

    @Test func `a required field that is empty is an error in its own line`() {
        expect(.missingField("Version"), line: 3, in: "Package: b\nArchitecture: all\nVersion:\n")
    }

    @Test(arguments: ["many", "-1", "+1", "1.5", "0x10", "9223372036854775808", "1 2", "\u{661}"])
    func `a size that is no whole number is an error`(size: String) {
        expect(
            .invalidNumber(field: "Installed-Size", text: size), line: 4, in: stanza("a", "Installed-Size: \(size)")
        )
    }

    @Test func `whether it is essential must be yes or no`() {
        expect(.invalidFlag(field: "Essential", text: "maybe"), line: 4, in: stanza("a", "Essential: maybe"))
    }

    @Test func `a homepage that is no URL is an error`() {
        expect(.invalidURL(field: "Homepage", text: "http://["), line: 4, in: stanza("a", "Homepage: http://["))
    }

    @Test func `bytes that are no UTF-8 are an error, even in a field that is not used`() {
        let bytes = Array(stanza("a").utf8.dropLast()) + Array("Origin: \n ".utf8) + [0xC3, 0x28, 0x0A]
        #expect(throws: PackageIndexError(line: 5, problem: .invalidUTF8)) { try parse(bytes) }
    }

    @Test func `a NUL character is an error`() {
        expect(.nulCharacter, line: 4, in: stanza("a", "Section: a\u{0}b"))
    }

    @Test func `the same package twice is an error that names both lines`() {
        let text = stanza("a") + stanza("b") + stanza("a")
        let key = PackageKey(name: "a", architecture: "all")
        expect(.duplicatePackage(key, firstLine: 1), line: 9, in: text)
        #expect(throws: PackageIndexError.self) { try parse(text) }
    }

    @Test func `an index without packages is an error`() {
        expect(.noPackages, line: 1, in: "")
        expect(.noPackages, line: 3, in: "# nothing\n\n")
    }

    @Test(arguments: [[0x1F, 0x8B, 0x08], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD]] as [[UInt8]])
    func `a compressed index is recognized`(bytes: [UInt8]) {
        #expect(throws: PackageIndexError(line: 1, problem: .compressed)) { try parse(bytes) }
    }

    @Test func `an error says the line first`() {
        let error = PackageIndexError(line: 12, problem: .missingField("Version"))
        #expect(error.description == "line 12: The package that begins here has no field Version.")
    }
}
