import Testing

@testable @_spi(Driver) import Holdfast

@Suite struct OperationNameTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT"), ("  -- a comment\n insert INTO a VALUES (1)", "INSERT"),
        ("WITH a AS (SELECT 1) UPDATE b SET c = 1", "UPDATE"), ("WITH a AS (SELECT 1) SELECT 1", "SELECT"),
        ("create table a (b)", "CREATE"), ("SAVEPOINT a", "SAVEPOINT"), ("VALUES (1)", "VALUES"),
        ("START TRANSACTION", "BEGIN"), ("EXPLAIN SELECT 1", "EXPLAIN"), ("REPLACE INTO a VALUES (1)", "REPLACE"),
    ])
    func `the operation is the command of the statement`(_ sql: String, _ name: String) {
        #expect(Statement(sql, isRaw: true).operationName == name)
    }

    @Test(arguments: ["canary", "'canary'", "", "42", "canary INSERT", "éclair"])
    func `what is no command of SQL is not taken for one`(_ sql: String) {
        #expect(Statement(sql, isRaw: true).operationName == nil)
    }
}
