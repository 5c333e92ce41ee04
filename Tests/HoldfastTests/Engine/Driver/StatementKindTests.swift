import Testing

@_spi(Driver) @testable import Holdfast

struct StatementKindTests {
    @Test(arguments: [
        ("SELECT 1", Statement.Kind.read), ("  \n/* x */ select 1", .read), ("VALUES (1)", .read),
        ("INSERT INTO t VALUES (1)", .insert), ("INSERT OR IGNORE INTO t VALUES (1)", .insert),
        ("REPLACE INTO t VALUES (1)", .replace), ("INSERT OR REPLACE INTO t VALUES (1)", .replace),
        ("UPDATE OR /* x */ REPLACE t SET a = 1", .replace), ("UPDATE t SET deleted = 1", .update),
        ("DELETE FROM t", .delete), (" -- x\n delete from t", .delete),
        ("BEGIN IMMEDIATE", .begin), ("START TRANSACTION READ ONLY", .begin), ("COMMIT", .commit), ("end;", .commit),
        ("PRAGMA user_version", .setting), ("SET TIME ZONE 'UTC'", .setting),
        ("ROLLBACK", .other), ("CREATE TABLE t (a)", .other), ("", .other), ("-- nothing", .other),
    ]) func `what a statement does is told by its first words`(sql: String, kind: Statement.Kind) {
        #expect(Statement(sql).kind == kind)
    }

    @Test(arguments: [
        ("WITH a AS (SELECT 1) SELECT * FROM a", Statement.Kind.read),
        ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", .insert),
        ("WITH a AS (INSERT INTO u VALUES (1) RETURNING *) UPDATE t SET b = 1", .insert),
        ("WITH a AS (SELECT 1) DELETE FROM t", .delete), ("WITH a AS (DELETE FROM t) INSERT INTO u SELECT 1", .delete),
        ("WITH a AS (SELECT 1) REPLACE INTO t SELECT * FROM a", .replace),
        ("WITH a AS (SELECT \"replace\" FROM t) SELECT * FROM a", .replace),
        ("WITH a AS (SELECT '--' AS b) DELETE FROM t", .delete),
        ("WITH a AS (SELECT '/*') UPDATE t SET a = 1", .update),
        ("WITH a AS (SELECT $$ ' $$) INSERT INTO t SELECT * FROM a", .insert),
    ]) func `after WITH, the strongest change of all words counts`(sql: String, kind: Statement.Kind) {
        #expect(Statement(sql).kind == kind)
    }
}
