import Testing

@testable import HoldfastTesting

@Suite struct ServerURLTests {
    @Test(arguments: [
        ("postgres://app@db/prod", "postgres://app@db/test"),
        ("postgres://app:p%2Fq@db:5433/prod?sslmode=require", "postgres://app:p%2Fq@db:5433/test?sslmode=require"),
        (
            "postgresql://a,b:5433/prod?target_session_attrs=any&dbname=other",
            "postgresql://a,b:5433/test?target_session_attrs=any"
        ),
        ("postgres://db", "postgres://db/test"),
        ("postgres://app@?host=%2Ftmp%2Fx&port=5432", "postgres://app@/test?host=%2Ftmp%2Fx&port=5432"),
        ("postgres://app@[::1]/prod", "postgres://app@[::1]/test"),
    ])
    func `the database of a URL is exchanged`(url: String, expected: String) throws {
        #expect(try #require(ServerURL(url)).naming("test") == expected)
    }

    @Test func `the name of a session is added, or exchanged`() throws {
        #expect(
            try #require(ServerURL("postgres://db/prod")).naming(application: "a")
                == "postgres://db/prod?application_name=a")
        #expect(
            try #require(ServerURL("postgres://db/prod?application_name=x&sslmode=disable")).naming(application: "a")
                == "postgres://db/prod?sslmode=disable&application_name=a")
    }

    @Test(arguments: ["", "prod", "host=db dbname=prod"]) func `a text without a scheme is no URL`(text: String) {
        #expect(ServerURL(text) == nil)
    }
}
