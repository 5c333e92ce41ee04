@_spi(Driver) import Holdfast

/// Full text search by `tsvector`, in a GIN index over a function of the columns.
///
/// The function finds the words, since the parsers of PostgreSQL take addresses, numbers and signs apart in ways of
/// their own, and depend on the locale of the database.
struct PostgresSearch: SearchDialect {
    let dialect: PostgresDialect

    var isKeptByTriggers: Bool { false }

    /// The function, with the number of its version: an index has what the function made of its rows.
    private static let function = "holdfast_search_v1"

    // MARK: Schema

    func create(_ index: SearchIndex, on table: String) -> [SearchStatement] {
        [
            SearchStatement(Self.creation),
            SearchStatement(
                "CREATE INDEX \(dialect.quoted(index.name)) ON \(dialect.quoted(table)) "
                    + "USING gin (\(Self.function)(\(dialect.list(index.columns))))"),
        ]
    }

    func drop(_ name: String, on table: String) -> [String] { ["DROP INDEX IF EXISTS \(dialect.quoted(name))"] }

    /// The columns of an index, of its expression as the catalogs write it:
    /// `holdfast_search_v1(VARIADIC ARRAY[title])`.
    static func columns(of expression: String) -> [String] {
        guard let start = expression.firstIndex(of: "[") else { return [] }
        var (names, name, isQuoted, wasQuote) = ([String](), "", false, false)
        for character in expression[start...].dropFirst() {
            if character == "\"" {
                // Two of them are one that is part of the name.
                if wasQuote, !isQuoted { name.append(character) }
                isQuoted.toggle()
                wasQuote = !isQuoted
                continue
            }
            wasQuote = false
            if isQuoted {
                name.append(character)
            } else if character == "," || character == "]" {
                names.append(name)
                name = ""
            } else if character != " " {
                name.append(character)
            }
        }
        return names
    }

    /// Each word with its place; between two columns a place is left out, so that no phrase has words of both.
    ///
    /// One that is there is left, as it may be another role's, and has what its version says.
    private static let creation = """
        DO $do$ BEGIN IF to_regprocedure('\(function)(text[])') IS NULL THEN
        CREATE FUNCTION \(function)(VARIADIC texts text[]) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $body$
            SELECT coalesce(
                string_agg('''' || word || ''':' || place, ' ')
                    FILTER (WHERE octet_length(word) <= \(SearchTerms.greatestLength)), '')::tsvector
            FROM (
                SELECT word, row_number() OVER (ORDER BY part, position) + part AS place
                FROM unnest(texts) WITH ORDINALITY AS t (content, part), unnest(string_to_array(
                    regexp_replace(
                        translate(
                            lower(content COLLATE "und-x-icu"), '\(SearchTerms.variantLetters.from)',
                            '\(SearchTerms.variantLetters.to)'),
                        '[^[:alnum:]\(SearchTerms.marks)]+[\(SearchTerms.marks)]*|^[\(SearchTerms.marks)]+', ' ', 'g'),
                    ' ')) WITH ORDINALITY AS w (word, position)
                WHERE word <> ''
            ) AS words
        $body$;
        END IF; END $do$
        """

    // MARK: Queries

    func matches(_ terms: SearchTerms, in source: SearchSource, bind: (String) throws -> String) rethrows -> String {
        "\(vector(source)) @@ \(try query(terms, bind))"
    }

    func rank(_ phrases: [SearchTerms], in source: SearchSource, bind: (String) throws -> String) rethrows -> String {
        let query = try query(phrases.count == 1 ? phrases[0] : .any(phrases), bind)
        return "CAST(ts_rank(\(vector(source)), \(query)) AS double precision)"
    }

    private func vector(_ source: SearchSource) -> String {
        "\(Self.function)(\(source.columns.joined(separator: ", ")))"
    }

    private func query(_ terms: SearchTerms, _ bind: (String) throws -> String) rethrows -> String {
        "\(try bind(expression(terms)))::text::tsquery"
    }

    private func expression(_ terms: SearchTerms) -> String {
        switch terms {
        case .phrase(let words, let isPrefix):
            let lexemes = words.map { "'\(SearchTerms.folded($0))'" }.joined(separator: " <-> ")
            return words.count > 1 ? "(\(lexemes)\(isPrefix ? ":*" : ""))" : lexemes + (isPrefix ? ":*" : "")
        case .all(let parts): return "(\(parts.map(expression).joined(separator: " & ")))"
        case .any(let parts): return "(\(parts.map(expression).joined(separator: " | ")))"
        case .not(let inner): return "!\(expression(inner))"
        }
    }
}
