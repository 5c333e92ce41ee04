import Holdfast

/// Versions of types whose columns are restricted, or have defaults.
enum Checked {
    enum State: String, Storable, CaseIterable { case open, closed }
    /// Has a case more, of a text that takes some quoting.
    enum WiderState: String, Storable, CaseIterable {
        case open, closed
        case odd = #"it's "1", \ (ÄRRAY['x'::text])"#
    }
    enum NarrowerState: String, Storable, CaseIterable {
        case open
        case odd = #"it's "1", \ (ÄRRAY['x'::text])"#
    }
    enum Level: Int16, Storable, CaseIterable { case low = -1, middle = 0, high = 20 }

    @Table("ticket")
    struct Ticket: Equatable {
        var id: Int64?
        @Indexed @Column(check: .cases) var state: State
        @Column(check: .cases) var level: Level?
    }

    @Table("ticket")
    struct Wider: Equatable {
        var id: Int64?
        @Indexed @Column(check: .cases) var state: WiderState
        @Column(check: .cases) var level: Level?
        @Column(check: .cases) var later: State = .closed
    }

    @Table("ticket")
    struct Narrower: Equatable {
        var id: Int64?
        @Indexed @Column(check: .cases) var state: NarrowerState
        @Column(check: .cases) var level: Level?
    }

    @Table("issue", renamedFrom: "ticket")
    struct Renamed: Equatable {
        var id: Int64?
        @Indexed @Column(renamedFrom: "state", check: .cases) var phase: NarrowerState
        @Column(check: .cases) var level: Level?
    }

    @Table("issue")
    struct Free: Equatable {
        var id: Int64?
        @Indexed var phase: String
        var level: Int16?
    }

    // MARK: Defaults

    @Table("setting")
    struct Setting {
        var id: Int64?
        @Indexed var name: String
        var count = 1
        var word = "a"
        var isOn = false
        var ratio = 1.5
        var share: Float?
        var note: String?
    }

    @Table("setting")
    struct OtherSetting {
        var id: Int64?
        @Indexed var name: String = #"it's \ "x""#
        var count = -2
        var word: String
        var isOn = true
        var ratio = 0.25
        var share: Float? = 2.5
        var note: String?
    }
}
