import Testing

@_spi(Driver) @testable import Holdfast

struct DatabaseURLTests {
    @Test(arguments: [("a%20b", "a b"), ("caf%C3%A9", "café"), ("%2f%2F", "//"), ("", ""), ("a+b", "a+b")])
    func `characters are decoded`(text: String, decoded: String) {
        #expect(DatabaseURL.percentDecoded(text) == decoded)
    }

    @Test(arguments: ["%", "a%2", "%zz", "%+1", "%00", "%FF"])
    func `what stands for no text is refused`(text: String) {
        #expect(DatabaseURL.percentDecoded(text) == nil)
    }
}
