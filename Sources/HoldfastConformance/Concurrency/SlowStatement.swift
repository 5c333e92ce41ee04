import Holdfast

/// SQL that keeps either engine busy for minutes, without reading any table.
enum SlowStatement {
    static let fragment: SQLFragment = """
        WITH RECURSIVE counting (number) AS (
            SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 2000000000
        )
        SELECT count(*) FROM counting
        """
}
