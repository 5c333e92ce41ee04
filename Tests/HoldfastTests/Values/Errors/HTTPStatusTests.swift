import Testing

@testable import Holdfast

@Suite struct HTTPStatusTests {
    @Test func `each error has the status of its kind`() {
        let statuses: [(DatabaseError.Code, Int)] = [
            (.notFound, 404), (.uniqueViolation, 409), (.foreignKeyViolation, 409), (.staleVersion, 409),
            (.changesTrimmed, 410), (.invalidValue, 422), (.notNullViolation, 422), (.checkViolation, 422),
            (.poolTimeout, 503), (.cannotConnect, 503), (.connectionLost, 503), (.serializationFailure, 503),
            (.statementTimeout, 504), (.diskFull, 507), (.decoding, 500), (.engine, 500), (.conflict, 500),
        ]
        for (code, status) in statuses { #expect(DatabaseError(code, "No.").httpStatus == status, "\(code)") }
    }

    @Test func `what may have been done is not said to be unavailable`() {
        #expect(DatabaseError(.commitOutcomeUnknown, "No.").httpStatus == 500)
    }
}
