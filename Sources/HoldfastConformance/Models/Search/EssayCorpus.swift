import Holdfast

/// Texts, and what searches find in them.
enum EssayCorpus {
    static let texts: [(title: String, body: String?)] = [
        /* 1 */ ("Red car", "I bought a red car from a man in a blue hat."),
        /* 2 */ ("Car, red", "The CAR was not red; the convertible was."),
        /* 3 */ ("Über Straßen", "Die Straße führt über die Brücke. STRASSE und Größe."),
        /* 4 */ ("L'été à Paris", "Aujourd'hui, l'école où naïve cœur… Garçon!"),
        /* 5 */ ("Война и мир", "Ещё раз: ВОЙНА, мир — и Толстой."),
        /* 6 */ ("東京タワー", "東京は日本の首都です。"),
        /* 7 */ ("O'Neil's don't", "Rock'n'roll isn’t dead; state-of-the-art, e-mail."),
        /* 8 */ ("Mail", "Write to ann.smith@example.com or visit https://www.example.com/a/b?x=1_2."),
        /* 9 */ ("Numbers", "3.14 1e5abc 0x1F 12,000 2nd 1984-01-02 v1.2.3 00012"),
        /* 10 */ ("Emoji", "robot🤖car great🤩 👩‍👩‍👧 ok👍🏽 ₿100 €5 m² ½"),
        /* 11 */ ("Empty", ""),
        /* 12 */ ("Nothing", nil),
        /* 13 */ ("Greek ΟΔΟΣ", "Η οδός οδυσσέως ὈΔΟΣ σοφόσ"),
        /* 14 */ ("Decomposed cafe\u{301}", "cafe\u{301}s and caf\u{E9}s \u{301}x"),
        /* 15 */ ("blue", "hat"),
        /* 16 */ ("Sports car", "A sports car, red and fast: red sports car. \"quoted\" (car) AND or not"),
        /* 17 */ ("हिन्दी", "भाषा العربية ١٢٣ ภาษาไทย 한국어 İstanbul ıssız ŉ ǅ ﬁn"),
        /* 18 */ ("under_score\tand\nlines", "a\u{0}b\u{FEFF}c\u{200B}d soft\u{AD}hyphen no\u{A0}break"),
    ]

    /// What is typed, and the numbers of the texts that are found.
    static let queries: [(text: String, found: [Int])] = [
        ("red", [1, 2, 16]), ("RED CAR", [1, 2, 16]), ("\"red car\"", [1]), ("\"car red\"", [2, 16]),
        ("\"sports car\" red", [16]), ("car -red", [10]), ("car NOT \"sports car\"", [1, 2, 10]),
        ("red OR blue", [1, 2, 15, 16]), ("blue hat", [1, 15]), ("\"blue hat\"", [1]),
        ("(red OR blue) hat", [1, 15]), ("conv*", [2]), ("c*", [1, 2, 4, 8, 10, 14, 16, 18]),
        ("\"red spo\"*", [16]), ("red AND conv*", [2]), ("straße", [3]), ("strasse", [3]), ("STRAẞE", [3]),
        ("uber", []), ("über", [3]), ("groß*", []), ("grö*", [3]), ("été", [4]), ("l'école", [4]), ("cœur", [4]),
        ("ecole", []),
        ("война", [5]), ("ТОЛСТОЙ мир", [5]), ("еще", []), ("東京", []), ("東京*", [6]), ("日本", []),
        ("o'neil", [7]), ("don't", [7]), ("isn't", [7]), ("state-of-the-art", [7]), ("\"of the art\"", [7]),
        ("email", []), ("e-mail", [7]), ("ann.smith@example.com", [8]), ("example", [8]), ("www", [8]),
        ("1_2", [8]), ("3.14", [9]), ("1e5abc", [9]), ("1e5", []), ("0x1f", [9]), ("12", [9]), ("1984", [9]),
        ("v1 2 3", [9]), ("00012", [9]), ("robot", [10]), ("great", [10]), ("ok👍🏽", [10]), ("🤖", []), ("100", [10]),
        ("m", [10]), ("οδοσ", [13]), ("ΟΔΌΣ", [13]), ("ὀδος", [13]), ("ΣΟΦΌΣ", [13]), ("cafés", [14]),
        ("cafe\u{301}s", [14]), ("cafe", []), ("x", [8, 14]), ("quoted", [16]), ("\"and or not\"", [16]),
        ("and", [14, 16, 18]),
        ("العربية", [17]), ("١٢٣", [17]), ("한국어", [17]), ("İstanbul", [17]), ("ISSIZ", []), ("ısSıZ", [17]),
        ("fin", []),
        ("ﬁn", [17]), ("under", [18]), ("score lines", [18]), ("soft hyphen", [18]), ("\"no break\"", [18]),
        ("", []), ("   ", []), ("?! -", []), ("\"\"", []), ("((((", []), ("OR", []), ("NOT", []), ("-", []), ("*", []),
        ("red OR", [1, 2, 16]), ("OR red", [1, 2, 16]), ("red )) (hat", [1]), ("\"red car", [1]),
        ("-red -the -empty -emoji -numbers -mail -a -и -タワー* -à", [3, 6, 12, 13, 14, 15, 17]),
        ("red'; DROP TABLE essay; --", []), ("red\\ & | ! <-> :* car", [1, 2, 16]), ("NEAR(red car)", []),
        ("title:red", []), ("^red", [1, 2, 16]), ("{title}", []),
    ]

    /// All of the texts in a database, of which the keys are the numbers.
    static func save(_ db: Database) async throws {
        let essays = texts.enumerated().map { number, text in
            // PostgreSQL has no NUL in texts, and SQLite's FTS5 takes it for a separator.
            let essay = Essay(text.title, text.body?.replacing("\u{0}", with: "\u{1}"))
            essay.id = Int64(number + 1)
            return essay
        }
        _ = try await db.insert(essays)
    }
}
